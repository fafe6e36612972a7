// SPDX-License-Identifier: Apache-2.0
#include "plan/space.h"

#include <gmock/gmock.h>

#include <functional>
#include <set>

#include "plan/divisors.h"
#include "plan/example.h"
#include "plan/fake_model.h"
#include "plan/rank.h"
#include "training/legal.h"

namespace headrace::plan {
namespace {

using scenario::DataParallel;
using scenario::Recompute;
using scenario::Schedule;
using scenario::Strategy;
using testing::ElementsAre;

struct Before {
  bool operator()(const Strategy& a, const Strategy& b) const { return fields_before(a, b); }
};
using Strategies = std::set<Strategy, Before>;

training::Job dense_job(int layers) {
  training::Job job;
  job.model.kinds.resize(1);
  job.model.layers.assign(std::size_t(layers), 0);
  job.sequence = 8192;
  return job;
}

/// Every candidate in the order of the search.
std::vector<Strategy> candidates(const Setting& setting, const Legal& legal) {
  std::vector<Strategy> all;
  Inner inner;
  for (const auto& shape : shapes(setting)) {
    for (const Frame& frame : frames(setting, shape, legal)) {
      inner_choices(setting, frame, legal, {}, inner);
      for (const auto& r : inner.recomputations) {
        for (const auto& s : inner.shardings) {
          for (const bool offload : inner.offloads) {
            Strategy strategy = frame;
            choose(strategy, r);
            choose(strategy, s);
            strategy.offload_optimizer = offload;
            all.push_back(strategy);
          }
        }
      }
    }
  }
  return all;
}

/// The rules of docs/search.md for a dense model, said once more: a choice that would change nothing is left off.
bool changes_something(const Strategy& s, int layers) {
  const int width = s.data * s.context;
  const std::int64_t micro = s.global_batch / (std::int64_t(s.data) * s.micro_batch);
  const int chunk = (layers + s.pipeline * s.virtual_pipeline - 1) / (s.pipeline * s.virtual_pipeline);
  if (s.sequence_parallel && s.tensor == 1) return false;
  if (s.overlap_tensor && !s.sequence_parallel) return false;
  if ((s.virtual_pipeline > 1) != (s.schedule == Schedule::kInterleaved)) return false;
  if (s.virtual_pipeline > 1 && (s.pipeline == 1 || (layers % (s.pipeline * s.virtual_pipeline) != 0 &&
                                                     (layers + 2) % (s.pipeline * s.virtual_pipeline) != 0))) {
    return false;
  }
  if (s.schedule == Schedule::kGpipe && (s.pipeline == 1 || micro <= s.pipeline)) return false;
  if (s.data_parallel != DataParallel::kDdp && width == 1) return false;
  if (s.shard_group != 0 && (s.data_parallel != DataParallel::kZero3 || width % s.shard_group != 0 ||
                             s.shard_group == 1 || s.shard_group == width)) {
    return false;
  }
  if (s.data_parallel == DataParallel::kZero3) {
    if (!s.overlap_gradient_reduce || !s.overlap_parameter_gather) return false;
  } else if (s.overlap_gradient_reduce && width == 1) {
    return false;
  }
  if (s.overlap_parameter_gather && s.data_parallel == DataParallel::kDdp) return false;
  return s.recompute == Recompute::kFull ? s.recompute_layers != 0 && s.recompute_layers < chunk
                                         : s.recompute_layers == -1;
}

/// All combinations of all values of all fields, filtered.
Strategies by_brute_force(const Legal& legal, int n, int layers, std::int64_t global_batch, bool experts = false) {
  Strategies all;
  Strategy s;
  s.global_batch = global_batch;
  const auto over = [](auto& field, auto values, const auto& next) {
    for (const auto value : values) {
      field = value;
      next();
    }
  };
  const std::vector<bool> both = {false, true};
  std::vector<int> recompute_layers = {-1}, groups = {0};
  for (int i = 1; i <= layers; ++i) recompute_layers.push_back(i);
  for (int i = 1; i <= n; ++i) groups.push_back(i);
  const auto leaf = [&] {
    if (legal(s) && changes_something(s, layers)) all.insert(s);
  };
  const auto flags = [&] {
    over(s.overlap_gradient_reduce, both,
         [&] { over(s.overlap_parameter_gather, both, [&] { over(s.offload_optimizer, both, leaf); }); });
  };
  const auto inner = [&] {
    over(s.recompute, std::vector{Recompute::kNone, Recompute::kSelective, Recompute::kFull}, [&] {
      over(s.recompute_layers, recompute_layers, [&] {
        over(s.data_parallel,
             std::vector{DataParallel::kDdp, DataParallel::kZero1, DataParallel::kZero2, DataParallel::kZero3},
             [&] { over(s.shard_group, groups, flags); });
      });
    });
  };
  const auto schedules = [&] {
    over(s.virtual_pipeline, divisors(layers),
         [&] { over(s.schedule, std::vector{Schedule::kGpipe, Schedule::k1f1b, Schedule::kInterleaved}, inner); });
  };
  const auto with_experts = [&] {
    over(s.expert, experts ? divisors(n) : divisors(1), [&] {
      const auto tensors = experts && s.tensor > 1 ? std::vector{1, s.tensor} : std::vector{1};
      over(s.expert_tensor, tensors, schedules);
    });
  };
  over(s.tensor, divisors(n), [&] {
    over(s.context, divisors(n), [&] {
      over(s.pipeline, divisors(n), [&] {
        if (n % (s.tensor * s.context * s.pipeline) != 0) return;
        s.data = n / (s.tensor * s.context * s.pipeline);
        over(s.micro_batch, divisors(global_batch),
             [&] { over(s.sequence_parallel, both, [&] { over(s.overlap_tensor, both, with_experts); }); });
      });
    });
  });
  return all;
}

TEST(Space, HoldsEveryLegalStrategyThatDiffersOnce) {
  // 8 accelerators, 4 layers, a batch of 8 sequences.
  const FakeModel model{.accelerators = 8, .layers = 4};
  const auto job = dense_job(model.layers);
  Space space;
  space.global_batch = {8};
  const Setting setting{job, space, 8};
  const auto listed = candidates(setting, [&](const Strategy& s) { return model.legal(s); });
  const Strategies once(listed.begin(), listed.end());
  const Strategies expected = by_brute_force([&](const Strategy& s) { return model.legal(s); }, 8, model.layers, 8);
  EXPECT_EQ(once.size(), listed.size()) << "a candidate came twice";
  EXPECT_GT(listed.size(), 10000U);
  EXPECT_TRUE(std::equal(once.begin(), once.end(), expected.begin(), expected.end()))
      << once.size() << " against " << expected.size();
}

TEST(Space, AsksTheTrainingRulesOnlyWhereTheyCanDiffer) {
  // 4 accelerators, 3 layers of 4 experts, 4 heads: what `illegal` says of whole strategies must be what the space
  // leaves out.
  const auto job = [] {
    auto j = example_job(3, 64, 4, 2048);
    j.model.kinds[0].feed_forward = {
        .hidden = 0, .gated = true, .experts = 4, .experts_per_token = 2, .expert_hidden = 128};
    return j;
  }();
  const Legal legal = [&](const Strategy& s) { return !training::illegal(job, s, 4); };
  Space space;
  space.global_batch = {12};
  const auto listed = candidates({job, space, 4}, legal);
  const Strategies once(listed.begin(), listed.end());
  const Strategies expected = by_brute_force(legal, 4, 3, 12, true);
  EXPECT_EQ(once.size(), listed.size());
  EXPECT_GT(listed.size(), 1000U);
  EXPECT_TRUE(std::equal(once.begin(), once.end(), expected.begin(), expected.end()))
      << once.size() << " against " << expected.size();
}

TEST(Space, LeavesOutWhatTheSoftwareCannotRun) {
  // FSDP alone, no plain data parallelism, no offload: the frames of a pipeline hold one data rank only.
  using catalog::WithPipeline;
  catalog::Software software;
  software.abilities.ddp = software.abilities.zero1 = software.abilities.zero2 = WithPipeline::kUnsupported;
  software.abilities.zero3 = software.abilities.shard_groups = WithPipeline::kAlone;
  software.abilities.offload = false;
  const FakeModel model{.accelerators = 8, .layers = 4};
  const auto job = dense_job(model.layers);
  const Legal legal = [&](const Strategy& s) { return model.legal(s) && !training::unsupported(software, s); };
  Space space;
  space.global_batch = {8};
  const auto listed = candidates({job, space, 8}, legal);
  const Strategies once(listed.begin(), listed.end());
  const Strategies expected = by_brute_force(legal, 8, model.layers, 8);
  EXPECT_GT(listed.size(), 100U);
  EXPECT_TRUE(std::equal(once.begin(), once.end(), expected.begin(), expected.end()))
      << once.size() << " against " << expected.size();
}

TEST(Space, OffersTheContextKindsOfTheSoftware) {
  const FakeModel model{.accelerators = 8, .layers = 4};
  const auto job = dense_job(model.layers);
  Space space;
  space.global_batch = {8};
  space.context = {1, 2};
  Setting setting{job, space, 8};
  const auto count = [&](const Setting& of, int context, scenario::ContextKind kind) {
    const auto all = shapes(of);
    return std::count_if(all.begin(), all.end(),
                         [&](const auto& s) { return s.context == context && s.context_kind == kind; });
  };
  using enum scenario::ContextKind;
  EXPECT_GT(count(setting, 2, kRing), 0);
  EXPECT_EQ(count(setting, 2, kAllToAll), 0);
  setting.context_kinds = {kRing, kAllToAll};
  EXPECT_EQ(count(setting, 2, kAllToAll), count(setting, 2, kRing));
  EXPECT_EQ(count(setting, 1, kAllToAll), 0) << "nothing differs";
  space.context_kind = {kAllToAll};
  EXPECT_EQ(count(setting, 2, kRing), 0);
  EXPECT_GT(count(setting, 1, kRing), 0);
}

TEST(Space, KeepsPinnedChoices) {
  const FakeModel model{.accelerators = 8, .layers = 4};
  const auto job = dense_job(model.layers);
  Space space;
  space.global_batch = {8};
  space.tensor = {2};
  space.pipeline = {2};
  space.micro_batch = {2};
  space.recompute = {Recompute::kFull};
  space.recompute_layers = {1, 9};
  space.data_parallel = {DataParallel::kZero1};
  space.sequence_parallel = {true};
  const auto all = candidates({job, space, 8}, [&](const Strategy& s) { return model.legal(s); });
  ASSERT_FALSE(all.empty());
  for (const Strategy& s : all) {
    EXPECT_EQ(s.tensor, 2);
    EXPECT_EQ(s.pipeline, 2);
    EXPECT_EQ(s.micro_batch, 2);
    EXPECT_TRUE(s.sequence_parallel);
    EXPECT_EQ(s.recompute, Recompute::kFull);
    EXPECT_THAT(s.recompute_layers, testing::AnyOf(1, -1));
    EXPECT_EQ(s.data_parallel, DataParallel::kZero1);
  }
}

TEST(Space, GivesAnOpenBatchTheLargestMultiple) {
  const FakeModel model{.accelerators = 4, .layers = 4};
  const auto job = dense_job(model.layers);
  Space space;
  space.global_batch_limit = 30;
  for (const Strategy& s : candidates({job, space, 4}, [&](const Strategy& c) { return model.legal(c); })) {
    const std::int64_t unit = std::int64_t(s.data) * s.micro_batch;
    EXPECT_LE(s.global_batch, 30);
    EXPECT_EQ(s.global_batch % unit, 0);
    EXPECT_GT(s.global_batch + unit, 30);
  }
}

TEST(Space, LeavesOutWhatTheSoftwareCannotOverlap) {
  const FakeModel model{.accelerators = 8, .layers = 4};
  const auto job = dense_job(model.layers);
  Space space;
  space.global_batch = {8};
  const Setting setting{job, space, 8, false, false, false};
  for (const Strategy& s : candidates(setting, [&](const Strategy& c) { return model.legal(c); })) {
    ASSERT_FALSE(s.overlap_tensor);
    if (s.data_parallel == DataParallel::kZero3) continue;
    ASSERT_FALSE(s.overlap_gradient_reduce || s.overlap_parameter_gather);
  }
}

TEST(Space, ChunksAreAlikeOrLeaveRoomForEmbeddingAndHead) {
  EXPECT_THAT(open_chunks(96, 8), ElementsAre(1, 2, 3, 4, 6, 12));
  EXPECT_THAT(open_chunks(126, 16), ElementsAre(1, 2, 4));  // 128 = 126 + embedding + head
}

TEST(Divisors, AscendAndAreComplete) {
  EXPECT_THAT(divisors(12), ElementsAre(1, 2, 3, 4, 6, 12));
  EXPECT_THAT(divisors(16), ElementsAre(1, 2, 4, 8, 16));
  EXPECT_TRUE(divisors(0).empty());
}

}  // namespace
}  // namespace headrace::plan
