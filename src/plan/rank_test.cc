// SPDX-License-Identifier: Apache-2.0
#include "plan/rank.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace headrace::plan {
namespace {

Candidate candidate(int time, int memory, int tensor = 1) {
  Candidate c;
  c.strategy.tensor = tensor;
  c.time = time;
  c.memory = memory;
  return c;
}

std::vector<Candidate> any_candidates() {
  // Few values, so that equal figures are common.
  const auto figures = *rc::gen::container<std::vector<std::tuple<int, int, int>>>(
      rc::gen::tuple(rc::gen::inRange(1, 12), rc::gen::inRange(1, 12), rc::gen::inRange(1, 4)));
  std::vector<Candidate> all;
  for (const auto& [time, memory, tensor] : figures) all.push_back(candidate(time, memory, tensor));
  return all;
}

bool same(const std::vector<Candidate>& a, const std::vector<Candidate>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Candidate& x, const Candidate& y) {
    return x.time == y.time && x.memory == y.memory && x.strategy == y.strategy;
  });
}

TEST(Rank, OfEquallyFastTheSimpler) {
  Candidate offloaded = candidate(1, 1);
  offloaded.strategy.offload_optimizer = true;
  EXPECT_TRUE(ranks_before(candidate(1, 9), offloaded, Objective::kThroughput));
  EXPECT_TRUE(ranks_before(offloaded, candidate(2, 9), Objective::kThroughput));
}

TEST(Rank, SpeedThenMemoryThenFields) {
  EXPECT_TRUE(ranks_before(candidate(1, 9), candidate(2, 1), Objective::kThroughput));
  EXPECT_TRUE(ranks_before(candidate(1, 1), candidate(1, 9), Objective::kThroughput));
  EXPECT_TRUE(ranks_before(candidate(1, 1, 1), candidate(1, 1, 2), Objective::kThroughput));
  EXPECT_TRUE(ranks_before(candidate(9, 1), candidate(1, 2), Objective::kMemory));
}

RC_GTEST_PROP(Best, KeepsTheFirstOfTheSortedList, ()) {
  auto all = any_candidates();
  const auto objective = *rc::gen::element(Objective::kThroughput, Objective::kMemory);
  Best best(5, objective);
  for (const auto& c : all) best.offer(c);
  std::sort(all.begin(), all.end(),
            [&](const Candidate& a, const Candidate& b) { return ranks_before(a, b, objective); });
  if (all.size() > 5) all.resize(5);
  RC_ASSERT(same(best.sorted(), all));
}

RC_GTEST_PROP(Front, KeepsWhatNoneBeats, ()) {
  const auto all = any_candidates();
  Front front;
  for (const auto& c : all) front.offer(c);
  const auto& points = front.points();
  for (const auto& c : all) {
    const bool beaten = std::any_of(all.begin(), all.end(), [&](const Candidate& o) {
      return o.time <= c.time && o.memory <= c.memory && (o.time < c.time || o.memory < c.memory);
    });
    const auto kept = std::count_if(points.begin(), points.end(), [&](const Candidate& p) {
      return p.time == c.time && p.memory == c.memory && !fields_before(c.strategy, p.strategy);
    });
    RC_ASSERT(kept == (beaten ? 0 : 1));
  }
}

}  // namespace
}  // namespace headrace::plan
