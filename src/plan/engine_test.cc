// SPDX-License-Identifier: Apache-2.0
#include "plan/engine.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plan/fake_model.h"

namespace headrace::plan {
namespace {

bool same(const std::vector<Candidate>& a, const std::vector<Candidate>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Candidate& x, const Candidate& y) {
    return x.time == y.time && x.memory == y.memory && x.strategy == y.strategy;
  });
}

/// A dense model of few layers on few accelerators, a batch of twice as many sequences.
struct Small {
  FakeModel model;
  training::Job job;
  Space space;
  double capacity;

  explicit Small(int accelerators = 8, int layers = 4, double room = 12) : capacity(room) {
    model.accelerators = accelerators;
    model.layers = layers;
    job.model.kinds.resize(1);
    job.model.layers.assign(std::size_t(layers), 0);
    job.sequence = 8192;
    space.global_batch = {2 * accelerators};
  }
  [[nodiscard]] Found search(const Options& options) const {
    return search_with(model, Setting{job, space, model.accelerators}, capacity, options);
  }
};

Small any_small() {
  return Small(*rc::gen::element(1, 2, 4, 6, 8), *rc::gen::inRange(1, 7), *rc::gen::element(0.5, 2.0, 6.0, 12.0, 50.0));
}

RC_GTEST_PROP(Engine, PrunesNothingThatMatters, ()) {
  const Small small = any_small();
  const int top = *rc::gen::inRange(1, 20);
  const auto objective = *rc::gen::element(Objective::kThroughput, Objective::kMemory);
  const Found all = small.search({.prune = false, .top = top, .objective = objective});
  const Found pruned = small.search({.prune = true, .top = top, .objective = objective});
  RC_ASSERT(same(all.best, pruned.best));
  RC_ASSERT(same(all.pareto, pruned.pareto));
  RC_ASSERT(same(all.nearest, pruned.nearest));
  RC_ASSERT(all.space == pruned.space);
  RC_ASSERT(all.space == all.evaluated);
  RC_ASSERT(pruned.space == pruned.evaluated + pruned.pruned);
}

TEST(Engine, PrunesMostOfASpace) {
  const Found found = Small(8, 6).search({});
  EXPECT_GT(found.space, 10000);
  EXPECT_LT(found.evaluated, found.space / 2);
}

RC_GTEST_PROP(Engine, AnswersAlikeOnAnyNumberOfThreads, ()) {
  const Small small = any_small();
  const bool prune = *rc::gen::arbitrary<bool>();
  const Found one = small.search({.prune = prune, .threads = 1});
  const Found two = small.search({.prune = prune, .threads = 2});
  RC_ASSERT(same(one.best, two.best));
  RC_ASSERT(same(one.pareto, two.pareto));
  RC_ASSERT(one.evaluated == two.evaluated);
  RC_ASSERT(one.pruned == two.pruned);
  RC_ASSERT(one.fitting == two.fitting);
}

RC_GTEST_PROP(Engine, MoreOfAResourceIsNeverSlower, ()) {
  const Small small = any_small();
  Small better = small;
  switch (*rc::gen::inRange(0, 3)) {
    case 0: better.model.flops *= 1.5; break;
    case 1: better.model.bandwidth *= 1.5; break;
    default: better.capacity *= 1.5;
  }
  const Found before = small.search({}), after = better.search({});
  if (before.best.empty()) return;
  RC_ASSERT(!after.best.empty());
  RC_ASSERT(after.best[0].time <= before.best[0].time);
}

TEST(Engine, NamesTheSmallestWhenNothingFits) {
  const Found found = Small(4, 4, 0.01).search({});
  EXPECT_TRUE(found.best.empty());
  EXPECT_TRUE(found.pareto.empty());
  ASSERT_EQ(found.nearest.size(), 10U);
  EXPECT_LE(found.nearest[0].memory, found.nearest[1].memory);
}

TEST(Engine, GoesThroughManyShapes) {
  // Each micro-batch is a shape of its own: thousands of waves' worth.
  Small small(1, 1);
  small.space.global_batch = {};
  small.space.global_batch_limit = 40000;
  for (int b = 1; b <= 40000; ++b) small.space.micro_batch.push_back(b);
  const Found found = small.search({});
  EXPECT_TRUE(found.exhaustive);
  EXPECT_EQ(found.space, found.evaluated + found.pruned);
  EXPECT_GE(found.space, 40000);
}

TEST(Engine, StopsWhenCancelled) {
  const std::atomic<bool> cancelled = true;
  const Found found = Small().search({.cancelled = &cancelled});
  EXPECT_FALSE(found.exhaustive);
  EXPECT_TRUE(found.best.empty());
}

TEST(Engine, ReportsProgressUpToTheEnd) {
  double last = 0;
  const Found found = Small().search({.progress = [&](double part) { last = std::max(last, part); }});
  EXPECT_TRUE(found.exhaustive);
  EXPECT_TRUE(found.exhaustive);
  EXPECT_DOUBLE_EQ(last, 1.0);
}

}  // namespace
}  // namespace headrace::plan
