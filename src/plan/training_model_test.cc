// SPDX-License-Identifier: Apache-2.0
#include "plan/training_model.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "plan/example.h"
#include "plan/search.h"
#include "plan/sensitivity.h"

namespace headrace::plan {
namespace {

/// 8 layers of width 1024 with 8 heads on one or two servers of eight accelerators.
struct Small {
  training::Job job = example_job(8, 1024, 8, 2048);
  training::Machine machine = example_machine(16, 8e9);
  Space space;

  Small() { space.global_batch = {32}; }
};

Small any_small() {
  Small small;
  small.machine.accelerators = *rc::gen::element(2, 4, 8, 16);
  small.machine.device.memory = *rc::gen::element(0.5e9, 2e9, 8e9, 80e9);
  small.job.sequence = *rc::gen::element(512, 2048, 8192);
  small.space.micro_batch = {1, 2};
  return small;
}

bool same(const std::vector<Candidate>& a, const std::vector<Candidate>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Candidate& x, const Candidate& y) {
    return x.time == y.time && x.memory == y.memory && x.strategy == y.strategy;
  });
}

/// Calls visit(costs, division, frame, strategy) for every candidate.
template <typename Visit>
void each_candidate(const Small& small, const TrainingModel& model, const Visit& visit) {
  const Setting setting{small.job, small.space, small.machine.accelerators};
  const Legal legal = [&](const scenario::Strategy& s) { return model.legal(s); };
  for (const auto& shape : shapes(setting)) {
    const auto costs = model.costs(shape);
    for (const Frame& frame : frames(setting, shape, legal)) {
      const auto& division = model.division(frame);
      Inner inner;
      inner_choices(setting, frame, legal, model.effects(costs, division), inner);
      for (const auto& recomputation : inner.recomputations) {
        for (const auto& sharding : inner.shardings) {
          for (const bool offload : inner.offloads) {
            scenario::Strategy strategy = frame;
            choose(strategy, recomputation);
            choose(strategy, sharding);
            strategy.offload_optimizer = offload;
            visit(costs, division, frame, strategy);
          }
        }
      }
    }
  }
}

TEST(TrainingModel, HalvesMakeTheWhole) {
  const Small small;
  const TrainingModel model(small.job, small.machine, small.space);
  TrainingModel::Work work;
  TrainingModel::States states;
  std::int64_t count = 0;
  each_candidate(small, model, [&](const auto& costs, const auto& division, const Frame&, const auto& strategy) {
    if (++count % 7 != 0) return;
    model.work(costs, division, strategy, work);
    model.states(costs, division, strategy, states);
    const auto memory = training::peak_memory(costs.memory, division, small.job, small.machine, strategy,
                                              training::MemoryQuantity::kDevice);
    ASSERT_NEAR(model.memory(work, states), memory.total(), 1e-12 * memory.total());
  });
  EXPECT_GT(count, 10000);
}

TEST(TrainingModel, FloorsLieBelow) {
  const Small small;
  const TrainingModel model(small.job, small.machine, small.space);
  TrainingModel::Work work;
  TrainingModel::States states;
  TrainingModel::Least least;
  std::int64_t count = 0;
  each_candidate(small, model, [&](const auto& costs, const auto& division, const Frame& frame, const auto& strategy) {
    if (++count % 7 != 0) return;
    model.work(costs, division, strategy, work);
    model.states(costs, division, strategy, states);
    model.least({states}, least);
    const double time = model.time(work, states, strategy), memory = model.memory(work, states);
    for (const Floor& floor : {model.floor(costs, division, frame), model.floor(work, least)}) {
      ASSERT_LE(floor.time, time);
      ASSERT_LE(floor.memory, memory);
    }
  });
}

TEST(TrainingModel, NoTwoCandidatesAreAlike) {
  // Equal in time and in memory means that a choice changed nothing.
  Small small;
  small.machine.accelerators = 8;
  small.space.micro_batch = {1, 2};
  const TrainingModel model(small.job, small.machine, small.space);
  TrainingModel::Work work;
  TrainingModel::States states;
  std::set<std::pair<double, double>> seen;
  std::int64_t count = 0, alike = 0;
  each_candidate(small, model, [&](const auto& costs, const auto& division, const Frame&, const auto& strategy) {
    model.work(costs, division, strategy, work);
    model.states(costs, division, strategy, states);
    const bool is_new = seen.insert({model.time(work, states, strategy), model.memory(work, states)}).second;
    ++count;
    if (!is_new) ++alike;
  });
  EXPECT_GT(count, 1000);
  // Only recompute, where traffic alone sets the pace and states alone the peak.
  EXPECT_LT(alike, count / 1000);
}

TEST(Search, OffersOnlyTheShardingsOfTheSoftware) {
  Small small;
  small.machine.software.abilities.zero2 = catalog::WithPipeline::kUnsupported;
  small.machine.software.abilities.zero3 = catalog::WithPipeline::kAlone;
  small.machine.software.abilities.shard_groups = catalog::WithPipeline::kAlone;
  const Options all = {.top = 100000};
  bool any_zero3 = false;
  for (const Candidate& c : search(small.job, small.machine, small.space, all).best) {
    ASSERT_NE(c.strategy.data_parallel, scenario::DataParallel::kZero2);
    if (c.strategy.data_parallel != scenario::DataParallel::kZero3) continue;
    any_zero3 = true;
    ASSERT_EQ(c.strategy.pipeline, 1);
  }
  EXPECT_TRUE(any_zero3);
  small.space.data_parallel = {scenario::DataParallel::kZero2};
  for (const Candidate& c : search(small.job, small.machine, small.space, all).best)
    ASSERT_EQ(c.strategy.data * c.strategy.context, 1) << "where nothing is divided";
}

RC_GTEST_PROP(Search, PrunesNothingThatMatters, ()) {
  const Small small = any_small();
  const Found all = search(small.job, small.machine, small.space, {.prune = false});
  const Found pruned = search(small.job, small.machine, small.space, {.prune = true});
  RC_ASSERT(same(all.best, pruned.best));
  RC_ASSERT(same(all.pareto, pruned.pareto));
  RC_ASSERT(same(all.nearest, pruned.nearest));
  RC_ASSERT(all.evaluated == all.space);
  RC_ASSERT(pruned.evaluated + pruned.pruned == all.space);
}

RC_GTEST_PROP(Search, MoreOfAResourceIsNeverSlower, ()) {
  const Small small = any_small();
  const auto resource = *rc::gen::element(Resource::kMatrixUnits, Resource::kMemoryBandwidth, Resource::kScaleUpLink,
                                          Resource::kNetwork, Resource::kMemoryCapacity);
  const auto better = scaled(small.machine, resource, *rc::gen::element(1.01, 1.1, 2.0, 10.0));
  const Found before = search(small.job, small.machine, small.space, {});
  const Found after = search(small.job, better, small.space, {});
  if (before.best.empty()) return;
  RC_ASSERT(!after.best.empty());
  RC_ASSERT(after.best[0].time <= before.best[0].time * (1 + 1e-12));
}

RC_GTEST_PROP(Search, AnswersAlikeOnAnyNumberOfThreads, ()) {
  const Small small = any_small();
  const Found one = search(small.job, small.machine, small.space, {.threads = 1});
  const Found two = search(small.job, small.machine, small.space, {.threads = 2});
  RC_ASSERT(same(one.best, two.best));
  RC_ASSERT(same(one.pareto, two.pareto));
  RC_ASSERT(one.evaluated == two.evaluated);
  RC_ASSERT(one.pruned == two.pruned);
}

}  // namespace
}  // namespace headrace::plan
