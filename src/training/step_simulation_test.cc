// SPDX-License-Identifier: Apache-2.0
#include "training/step_simulation.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace headrace::training {
namespace {

using scenario::Schedule;

/// `stages` equal stages: forward 1 s, backward 2 s of which half for weights, `pieces` layers each; all else is free.
StepCosts unit_costs(int stages, int pieces = 1) {
  StepCosts costs;
  StageCost stage;
  stage.forward = 1;
  stage.backward = 2;
  stage.weight = 1;
  stage.pieces = pieces;
  costs.stages.assign(std::size_t(stages), stage);
  costs.forward.share[0] = costs.backward.share[0] = costs.weight.share[0] = 1;
  costs.data_demand.share = {0.25, 0, 0, 1, 0};
  costs.slowdown = 0.25;
  return costs;
}

double seconds_of(const Program& program, const StepCosts& costs) {
  timeline::Graph graph(1, kStepStreams);
  lay_step(program, costs, graph);
  timeline::Times times;
  EXPECT_TRUE(timeline::simulate(graph, times));
  return times.makespan;
}

/// p equal stages and free transfers, blocking or not: 3m s of work and a wait of 3(p − 1) s.
RC_GTEST_PROP(StepGraph, BubbleOfOneForwardOneBackward, ()) {
  const int p = *rc::gen::inRange(1, 10), m = *rc::gen::inRange(1, 30);
  auto costs = unit_costs(p);
  RC_ASSERT(seconds_of(one_f_one_b(p, m), costs) == 3.0 * m + 3 * (p - 1));
  costs.sending = Sending::kBeside;
  RC_ASSERT(seconds_of(one_f_one_b(p, m), costs) == 3.0 * m + 3 * (p - 1));
}

/// Two stages, blocking transfers of 0.5 s, m micro-batches: each one's forward and backward cross once, and no rank
/// works meanwhile: every micro-batch takes 3 + 1 s, and one more fill of 3 s.
TEST(StepGraph, BlockingTransfersStopBothSides) {
  auto costs = unit_costs(2);
  costs.send = 0.5;
  for (const int m : {1, 2, 5}) EXPECT_DOUBLE_EQ(seconds_of(one_f_one_b(2, m), costs), 4.0 * m + 3 - 0.5 * (m - 1));
}

/// One rank, gradients of 4 layers that take 1 s together beside a backward of 2 s: three quarters hide, each of which
/// costs the backward a quarter of its time, and the last quarter shows. 1 + 2 + 0.75·0.25 + 0.25.
TEST(StepGraph, GradientsHideBehindTheLastBackward) {
  auto costs = unit_costs(1, 4);
  costs.stages[0].load.reduce = 1;
  EXPECT_DOUBLE_EQ(seconds_of(one_f_one_b(1, 1), costs), 4);
  costs.overlaps_reduce = true;
  EXPECT_DOUBLE_EQ(seconds_of(one_f_one_b(1, 1), costs), 3 + 0.75 * 0.25 + 0.25);
  // 8 s of gradients: their first starts after a quarter of the backward, and the link is never free again.
  costs.stages[0].load.reduce = 8;
  EXPECT_DOUBLE_EQ(seconds_of(one_f_one_b(1, 1), costs), 1 + 0.5 + 8);
}

/// The same for parameters beside the first forward.
TEST(StepGraph, ParametersComeBesideTheFirstForward) {
  auto costs = unit_costs(1, 4);
  costs.stages[0].load.gather = 0.4;
  EXPECT_DOUBLE_EQ(seconds_of(one_f_one_b(1, 2), costs), 6.4);
  costs.overlaps_gather = true;
  EXPECT_DOUBLE_EQ(seconds_of(one_f_one_b(1, 2), costs), 6 + 0.1 + 0.3 * 0.25);
}

/// Parameters of the second stage come while it waits for the first.
TEST(StepGraph, OnlyTheFirstStageWaitsForParameters) {
  auto costs = unit_costs(2, 1);
  costs.overlaps_gather = true;
  costs.stages[1].load.gather = 1;
  EXPECT_DOUBLE_EQ(seconds_of(one_f_one_b(2, 3), costs), 12);
  costs.stages[0].load.gather = 1;
  EXPECT_DOUBLE_EQ(seconds_of(one_f_one_b(2, 3), costs), 13);
}

/// Every rank waits for the slowest at the norm, and updates its own parameters.
TEST(StepGraph, TheNormJoinsAllRanks) {
  auto costs = unit_costs(2);
  costs.norm = 0.5;
  costs.stages[0].load.optimizer = 1;
  costs.stages[1].load.optimizer = 3;
  EXPECT_DOUBLE_EQ(seconds_of(one_f_one_b(2, 3), costs), 12 + 0.5 + 3);
  costs.offloads_optimizer = true;
  EXPECT_DOUBLE_EQ(seconds_of(one_f_one_b(2, 3), costs), 12 + 0.5 + 3);
}

/// Each micro-batch gathers a layer ahead of each pass; traffic slower than computation paces the step: 2 layers of
/// 1 s to gather, twice, and 1 s each to reduce; the last gradients follow the last layer.
TEST(StepGraph, ShardedParametersAreGatheredForEachPass) {
  auto costs = unit_costs(1, 2);
  costs.traffic = Traffic::kEachGatherToo;
  costs.overlaps_reduce = costs.overlaps_gather = true;
  costs.stages[0].load.gather = 2;
  costs.stages[0].load.reduce = 2;
  const double one = seconds_of(one_f_one_b(1, 1), costs), two = seconds_of(one_f_one_b(1, 2), costs);
  EXPECT_GE(one, 6);
  EXPECT_NEAR(two - one, 6, 0.75);
}

/// Anything that takes longer never makes the step shorter than without it.
RC_GTEST_PROP(StepGraph, MoreWorkNeverTakesLess, ()) {
  const auto schedule =
      *rc::gen::element(Schedule::kGpipe, Schedule::k1f1b, Schedule::kInterleaved, Schedule::kZeroBubbleH1,
                        Schedule::kZeroBubbleH2, Schedule::kZbv, Schedule::kDualPipe);
  const int p = 2 * *rc::gen::inRange(1, 4), m = 2 * p * *rc::gen::inRange(1, 3);
  const int chunks = schedule == Schedule::kInterleaved || schedule == Schedule::kZbv ? 2 : 1;
  const auto program = program_of(schedule, p, chunks, m);
  auto costs = unit_costs(program.stages, 3);
  costs.sending = *rc::gen::element(Sending::kMeeting, Sending::kWarmUp, Sending::kBeside);
  // Later orders would wait for each other in a circle if both sides stopped for a transfer.
  const bool meets = schedule == Schedule::kGpipe || schedule == Schedule::k1f1b;
  if (!meets && costs.sending == Sending::kMeeting) costs.sending = Sending::kBeside;
  costs.traffic = *rc::gen::element(Traffic::kOnce, Traffic::kEachReduce, Traffic::kEachGatherToo);
  costs.overlaps_reduce = *rc::gen::arbitrary<bool>();
  costs.overlaps_gather = costs.traffic == Traffic::kEachGatherToo || *rc::gen::arbitrary<bool>();
  const double bare = seconds_of(program, costs);
  RC_ASSERT(bare > 0);
  costs.send = *rc::gen::inRange(0, 5) / 10.0;
  for (auto& stage : costs.stages) {
    stage.load.gather = *rc::gen::inRange(0, 30) / 10.0;
    stage.load.reduce = *rc::gen::inRange(0, 30) / 10.0;
  }
  RC_ASSERT(seconds_of(program, costs) >= bare - 1e-9);
}

}  // namespace
}  // namespace headrace::training
