// SPDX-License-Identifier: Apache-2.0
#include "plan/machines.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plan/example.h"
#include "plan/sensitivity.h"
#include "plan/ties.h"

namespace headrace::plan {
namespace {

Candidate candidate(double time, double memory, double cost) {
  Candidate c;
  c.time = time;
  c.memory = memory;
  c.dollars_per_sequence = cost;
  return c;
}

TEST(Machines, RanksAllTogether) {
  // Sixteen accelerators beat eight in speed and eight cost less.
  const auto job = example_job(8, 1024, 8, 2048);
  const auto small = example_machine(8), large = example_machine(16);
  Space space;
  space.global_batch = {64};
  const std::vector<MachineChoice> machines = {{&small, 1.0}, {&large, 1.0}};
  const Found fastest = search_machines(job, machines, space, {});
  ASSERT_FALSE(fastest.best.empty());
  EXPECT_EQ(fastest.best[0].machine, 1);
  EXPECT_EQ(fastest.best[0].strategy, search(job, large, space, {}).best[0].strategy);
  const Found cheapest = search_machines(job, machines, space, {.objective = Objective::kCost});
  EXPECT_EQ(cheapest.best[0].machine, 0);
  EXPECT_EQ(fastest.space, search(job, small, space, {}).space + search(job, large, space, {}).space);
}

TEST(Machines, LeavesUnpricedMachinesOutOfACostRanking) {
  const auto job = example_job(8, 1024, 8, 2048);
  const auto machine = example_machine(8);
  Space space;
  space.global_batch = {64};
  EXPECT_TRUE(search_machines(job, {{&machine, 0}}, space, {.objective = Objective::kCost}).best.empty());
}

TEST(Pareto, NeedsToBeBestInSomething) {
  const auto front =
      pareto({candidate(1, 9, 9), candidate(2, 2, 8), candidate(3, 3, 1), candidate(3, 3, 8), candidate(9, 9, 9)});
  ASSERT_EQ(front.size(), 3U);
  EXPECT_EQ(front[0].time, 1);
  EXPECT_EQ(front[1].time, 2);
  EXPECT_EQ(front[2].dollars_per_sequence, 1);
}

TEST(Ties, AreThoseWithinTheUncertainty) {
  const auto tied = ties({candidate(1.00, 0, 0), candidate(1.02, 0, 0), candidate(1.20, 0, 0)}, 0.03);
  EXPECT_EQ(tied, (std::vector<std::vector<int>>{{1}, {0}, {}}));
}

TEST(Sensitivity, FasterResourcesMakeTheStepShorter) {
  const auto job = example_job(8, 1024, 8, 2048);
  const auto machine = example_machine(16, 4e9);
  Space space;
  space.global_batch = {64};
  const Options options;
  const Found found = search(job, machine, space, options);
  ASSERT_FALSE(found.best.empty());
  const auto gains = sensitivities(job, machine, space, options, found.best[0]);
  ASSERT_EQ(gains.size(), 5U);
  for (const Sensitivity& gain : gains) {
    EXPECT_LE(gain.change, 1e-12);
    // A tenth more of one resource makes at most all of the step that much faster; what more memory lets in is another
    // matter.
    if (gain.resource == Resource::kMemoryCapacity) continue;
    EXPECT_GT(gain.change, 1 / 1.1 - 1 - 1e-12);
  }
  EXPECT_LT(gains[0].change, -0.001);
  EXPECT_EQ(sensitivities(job, example_machine(8), space, options, found.best[0]).size(), 4U)
      << "one server: no network";
}

TEST(Evaluate, AgreesWithTheSearch) {
  const auto job = example_job(8, 1024, 8, 2048);
  const auto machine = example_machine(16);
  Space space;
  space.global_batch = {64};
  for (const Candidate& c : search(job, machine, space, {}).best) {
    const Candidate alone = evaluate(job, machine, c.strategy);
    EXPECT_NEAR(alone.time, c.time, 1e-12 * c.time);
    EXPECT_NEAR(alone.memory, c.memory, 1e-12 * c.memory);
  }
}

}  // namespace
}  // namespace headrace::plan
