// SPDX-License-Identifier: Apache-2.0
#include "training/schedule/schedule.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "timeline/simulate.h"
#include "training/rank_memory.h"

namespace headrace::training {
namespace {

using scenario::Schedule;
using timeline::Node;

/// Seconds of each pass of one chunk; all chunks are equal and transfers free.
struct Unit {
  double forward = 1, input = 1, weight = 1;
  double pair = 3;
};

double seconds_of(const Slot& slot, const Unit& unit) {
  switch (slot.kind) {
    case SlotKind::kForward: return unit.forward;
    case SlotKind::kBackward: return unit.input + unit.weight;
    case SlotKind::kBackwardInput: return unit.input;
    case SlotKind::kBackwardWeight: return unit.weight;
    case SlotKind::kPair: return unit.pair;
  }
  return 0;
}

bool runs_forward(const Slot& slot) { return slot.kind == SlotKind::kForward || slot.kind == SlotKind::kPair; }
bool runs_backward(const Slot& slot) {
  return slot.kind == SlotKind::kBackward || slot.kind == SlotKind::kBackwardInput || slot.kind == SlotKind::kPair;
}

/// When everything runs at full speed, and when each rank starts and ends.
struct Timed {
  double makespan = 0;
  std::vector<double> start, end, busy;

  /// Of the rank that pauses longest between its first and its last slot.
  [[nodiscard]] double longest_pause() const {
    double pause = 0;
    for (std::size_t i = 0; i < start.size(); ++i) pause = std::max(pause, end[i] - start[i] - busy[i]);
    return pause;
  }
};

Timed time_of(const Program& program, const Unit& unit) {
  timeline::Graph graph(program.ranks, 1);
  const auto demand = graph.demand({});
  std::map<std::tuple<int, int, int>, Node> forward, backward;  // stage, direction, micro-batch
  std::vector<std::pair<Node, Slot>> all;
  for (int rank = 0; rank < program.ranks; ++rank)
    for (const Slot& slot : program.orders[std::size_t(rank)]) {
      const Node node = graph.add(rank, 0, seconds_of(slot, unit), demand);
      all.emplace_back(node, slot);
      const bool pair = slot.kind == SlotKind::kPair;
      const int forward_chunk = pair ? slot.forward_chunk : slot.chunk;
      const int forward_batch = pair ? slot.forward_micro_batch : slot.micro_batch;
      if (runs_forward(slot))
        forward[{program.stage(rank, forward_chunk), program.direction(forward_batch), forward_batch}] = node;
      if (runs_backward(slot))
        backward[{program.stage(rank, slot.chunk), program.direction(slot.micro_batch), slot.micro_batch}] = node;
    }
  const auto wait = [&](const auto& nodes, const auto& others, int step) {
    for (const auto& [key, node] : nodes) {
      const auto [stage, direction, batch] = key;
      const auto before = others.find({stage + step, direction, batch});
      if (before != others.end()) graph.after(node, before->second);
    }
  };
  wait(forward, forward, -1);
  wait(backward, backward, 1);
  wait(backward, forward, 0);
  timeline::Times times;
  if (!timeline::longest_path(graph, times)) return {-1, {}, {}, {}};
  Timed timed{times.makespan, std::vector<double>(std::size_t(program.ranks), 1e300),
              std::vector<double>(std::size_t(program.ranks)), std::vector<double>(std::size_t(program.ranks))};
  for (const auto& [node, slot] : all) {
    const auto rank = std::size_t(graph.place(node));
    timed.start[rank] = std::min(timed.start[rank], times.start[node]);
    timed.end[rank] = std::max(timed.end[rank], times.end[node]);
    timed.busy[rank] += graph.seconds(node);
  }
  return timed;
}

/// Any legal program.
Program any_program() {
  const auto schedule =
      *rc::gen::element(Schedule::kGpipe, Schedule::k1f1b, Schedule::kInterleaved, Schedule::kZeroBubbleH1,
                        Schedule::kZeroBubbleH2, Schedule::kZbv, Schedule::kDualPipe);
  int ranks = *rc::gen::inRange(1, 10);
  int micro_batches = *rc::gen::inRange(1, 40);
  const int chunks = *rc::gen::inRange(1, 5);
  if (schedule == Schedule::kDualPipe) {
    ranks += ranks % 2;
    micro_batches = 2 * (ranks + micro_batches);
  }
  return program_of(schedule, ranks, chunks, micro_batches);
}

RC_GTEST_PROP(Schedule, RunsEveryStageOnceForwardAndOnceBackwardForEachMicroBatch, ()) {
  const auto program = any_program();
  std::map<std::tuple<int, int>, int> forwards, inputs, weights;
  for (int rank = 0; rank < program.ranks; ++rank)
    for (const Slot& slot : program.orders[std::size_t(rank)]) {
      const std::tuple key(program.stage(rank, slot.chunk), slot.micro_batch);
      if (slot.kind == SlotKind::kForward) ++forwards[key];
      if (slot.kind == SlotKind::kPair) {
        ++forwards[{program.stage(rank, slot.forward_chunk), slot.forward_micro_batch}];
        RC_ASSERT(program.direction(slot.forward_micro_batch) == (program.bidirectional ? slot.forward_chunk : 0));
      }
      if (runs_backward(slot)) {
        RC_ASSERT(forwards[key] == 1);
        ++inputs[key];
      }
      if (slot.kind == SlotKind::kBackwardWeight) RC_ASSERT(inputs[key] == 1);
      if (slot.kind == SlotKind::kBackwardWeight || slot.kind == SlotKind::kBackward || slot.kind == SlotKind::kPair)
        ++weights[key];
    }
  const auto all = std::size_t(program.stages) * std::size_t(program.micro_batches);
  for (const auto& counts : {forwards, inputs, weights}) {
    RC_ASSERT(counts.size() == all);
    for (const auto& [key, count] : counts) RC_ASSERT(count == 1);
  }
}

RC_GTEST_PROP(Schedule, NeverWaitsInACircle, ()) {
  const auto program = any_program();
  const auto timed = time_of(program, {});
  RC_ASSERT(timed.makespan >= 3.0 * program.micro_batches * program.stages / program.ranks - 1e-9);
}

/// The most chunk activations that a rank holds between a forward and the end of its backward, over its chunks.
double most_in_flight(const Program& program, int rank) {
  int held = 0, most = 0;
  for (const Slot& slot : program.orders[std::size_t(rank)]) {
    if (runs_forward(slot)) most = std::max(most, ++held);
    if (slot.kind == SlotKind::kBackward || slot.kind == SlotKind::kBackwardWeight || slot.kind == SlotKind::kPair)
      --held;
  }
  return double(most) / program.chunks;
}

/// What the memory model takes: 1F1B p − r, interleaved its warm-up and one, ZB-H1 p, ZB-H2 2p − 1, ZB-V p, DualPipe
/// (p + 1)/2 of both its stages.
RC_GTEST_PROP(Schedule, HoldsNoMoreThanTheMemoryModelSays, ()) {
  const int p = 2 * *rc::gen::inRange(1, 5), m = 2 * p * *rc::gen::inRange(1, 4), v = *rc::gen::inRange(2, 4);
  scenario::Strategy strategy;
  strategy.pipeline = p;
  strategy.global_batch = m;
  for (const auto schedule : {Schedule::kGpipe, Schedule::k1f1b, Schedule::kInterleaved, Schedule::kZeroBubbleH1,
                              Schedule::kZeroBubbleH2, Schedule::kZbv, Schedule::kDualPipe}) {
    strategy.schedule = schedule;
    strategy.virtual_pipeline = schedule == Schedule::kZbv ? 2 : schedule == Schedule::kInterleaved ? v : 1;
    const auto program = program_of(schedule, p, strategy.virtual_pipeline, m);
    double most = 0, model = 0;
    for (int rank = 0; rank < p; ++rank) {
      RC_ASSERT(most_in_flight(program, rank) <= in_flight(strategy, rank) + 1e-9);
      most = std::max(most, most_in_flight(program, rank));
      model = std::max(model, in_flight(strategy, rank));
    }
    RC_ASSERT(most == model);
  }
}

/// p equal stages, forward 1 s and backward 2 s, m micro-batches: rank 0 works for 3m s, and waits once for all other
/// ranks' forward and backward of one micro-batch. The step is (p − 1)/m longer than the
/// ideal 3m.
RC_GTEST_PROP(Schedule, BubbleOfOneForwardOneBackward, ()) {
  const int p = *rc::gen::inRange(1, 12), m = *rc::gen::inRange(1, 30);
  RC_ASSERT(time_of(one_f_one_b(p, m), {}).makespan == 3.0 * m + 3 * (p - 1));
  RC_ASSERT(time_of(gpipe(p, m), {}).makespan == 3.0 * m + 3 * (p - 1));
}

/// The same with v chunks of 1/v of the time per rank, and m a multiple of p: (p − 1)/(v·m).
RC_GTEST_PROP(Schedule, BubbleOfInterleaved, ()) {
  const int p = *rc::gen::inRange(2, 9), v = *rc::gen::inRange(1, 5), m = p * *rc::gen::inRange(1, 6);
  RC_ASSERT(time_of(interleaved(p, v, m), {}).makespan == 3.0 * m * v + 3 * (p - 1));
}

/// Forward and both halves of backward 1 s each: ZB-H1 waits (p − 1)(F + B − W) = p − 1 s, a third of 1F1B's 3(p − 1).
RC_GTEST_PROP(Schedule, ZeroBubbleH1WaitsAThird, ()) {
  const int p = *rc::gen::inRange(1, 10), m = p + *rc::gen::inRange(0, 30);
  const auto timed = time_of(zero_bubble_h1(p, m), {});
  RC_ASSERT(timed.makespan == 3.0 * m + p - 1);
}

/// ZB-H2 and ZB-V with 1 s each: a rank works without a pause from its first slot to its last.
RC_GTEST_PROP(Schedule, ZeroBubbleH2AndVNeverPause, ()) {
  const int p = *rc::gen::inRange(1, 9), m = 2 * p + *rc::gen::inRange(0, 30);
  RC_ASSERT(time_of(zero_bubble_h2(p, m), {}).longest_pause() == 0.0);
  RC_ASSERT(time_of(zbv(p, m), {}).longest_pause() == 0.0);
}

/// Forward 1 s, both halves of backward 1 s each, a pair 3 s: (p/2 − 1)(F&B + B − 3W) = 2(p/2 − 1) s beside the work.
RC_GTEST_PROP(Schedule, BubbleOfDualPipe, ()) {
  const int p = 2 * *rc::gen::inRange(1, 6), m = 2 * (p + *rc::gen::inRange(0, 20));
  RC_ASSERT(time_of(dualpipe(p, m), {}).makespan == 3.0 * m + 2 * (p / 2.0 - 1));
}

}  // namespace
}  // namespace headrace::training
