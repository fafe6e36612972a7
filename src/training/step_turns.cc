// SPDX-License-Identifier: Apache-2.0
#include "training/step_turns.h"

#include <algorithm>

namespace headrace::training {

namespace {

StepWorkKind kind_of(SlotKind kind) {
  switch (kind) {
    case SlotKind::kForward: return StepWorkKind::kForward;
    case SlotKind::kBackward: return StepWorkKind::kBackward;
    case SlotKind::kBackwardInput: return StepWorkKind::kBackwardInput;
    case SlotKind::kBackwardWeight: return StepWorkKind::kBackwardWeight;
    case SlotKind::kPair: return StepWorkKind::kPair;
  }
  return StepWorkKind::kWait;
}

const StageCost& stage_of_chunk(const Program& program, const StepCosts& costs, int rank, int chunk) {
  return costs.stages[std::size_t(program.stage(rank, chunk))];
}

/// The two passes of a pair run beside each other's expert-parallel traffic, which takes multiprocessors from them.
/// Source: DeepSeek-V3, arXiv 2412.19437, section 3.2.1.
double pair_seconds(const StageCost& forward, const StageCost& backward, double slowdown) {
  const double hidden = (forward.exchange + backward.exchange) / 2 * (1 - slowdown);
  return forward.forward + backward.backward - hidden;
}

double seconds_of(const Slot& slot, const StageCost& stage, const StageCost& forward, const StepCosts& costs) {
  switch (slot.kind) {
    case SlotKind::kForward: return stage.forward;
    case SlotKind::kBackward: return stage.backward;
    case SlotKind::kBackwardInput: return stage.backward - stage.weight;
    case SlotKind::kBackwardWeight: return stage.weight;
    case SlotKind::kPair: return pair_seconds(forward, stage, costs.slowdown);
  }
  return 0;
}

/// Adds a chunk's traffic to the turn beside which it goes.
void add_gather(Turn& turn, const StageCost& stage) {
  if (stage.load.gather <= 0) return;
  turn.gather += stage.load.gather;
  turn.pieces = std::max(turn.pieces, stage.pieces);
}

void add_reduce(Turn& turn, const StageCost& stage, bool by_piece) {
  if (stage.load.reduce <= 0) return;
  turn.reduce += stage.load.reduce;
  turn.reduces_by_piece = by_piece;
  if (by_piece) turn.pieces = std::max(turn.pieces, stage.pieces);
}

const StageCost& stage_forward(const Program& program, const StepCosts& costs, int rank, const Slot& slot) {
  return stage_of_chunk(program, costs, rank, slot.kind == SlotKind::kPair ? slot.forward_chunk : slot.chunk);
}

/// Parameters of every pass.
void gather_each(const Program& program, const StepCosts& costs, int rank, std::vector<Turn>& turns) {
  for (Turn& turn : turns) {
    if (turn.slot.kind == SlotKind::kBackwardWeight) continue;
    add_gather(turn, stage_of_chunk(program, costs, rank, turn.slot.chunk));
    if (turn.slot.kind == SlotKind::kPair) add_gather(turn, stage_forward(program, costs, rank, turn.slot));
  }
}

/// Parameters beside each chunk's first forward.
void gather_once(const Program& program, const StepCosts& costs, int rank, std::vector<Turn>& turns) {
  for (int chunk = 0; chunk < program.chunks; ++chunk) {
    const auto& stage = stage_of_chunk(program, costs, rank, chunk);
    const auto first = std::find_if(turns.begin(), turns.end(), [&](const Turn& t) {
      return t.forward() && &stage_forward(program, costs, rank, t.slot) == &stage;
    });
    if (first != turns.end()) add_gather(*first, stage);
  }
}

void reduce_each(const Program& program, const StepCosts& costs, int rank, std::vector<Turn>& turns) {
  for (Turn& turn : turns)
    if (turn.finishes_weights())
      add_reduce(turn, stage_of_chunk(program, costs, rank, turn.slot.chunk), costs.overlaps_reduce);
}

/// Gradients beside each chunk's last backward.
void reduce_once(const Program& program, const StepCosts& costs, int rank, std::vector<Turn>& turns) {
  for (int chunk = 0; chunk < program.chunks; ++chunk) {
    const auto last = std::find_if(turns.rbegin(), turns.rend(),
                                   [&](const Turn& t) { return t.finishes_weights() && t.slot.chunk == chunk; });
    if (last != turns.rend()) add_reduce(*last, stage_of_chunk(program, costs, rank, chunk), true);
  }
}

void mark_filling(std::vector<Turn>& turns) {
  const auto first = std::find_if(turns.begin(), turns.end(), [](const Turn& t) { return t.backward(); });
  const auto last = std::find_if(turns.rbegin(), turns.rend(), [](const Turn& t) { return t.forward(); });
  for (auto turn = turns.begin(); turn != first; ++turn) turn->filling = true;
  for (auto turn = turns.rbegin(); turn != last; ++turn) turn->filling = true;
}

}  // namespace

void list_turns(const Program& program, const StepCosts& costs, int rank, std::vector<Turn>& turns) {
  const auto& order = program.orders[std::size_t(rank)];
  turns.clear();
  turns.reserve(order.size());
  for (const Slot& slot : order) {
    Turn turn;
    turn.slot = slot;
    turn.tag = {kind_of(slot.kind), slot.chunk, slot.micro_batch};
    turn.seconds = seconds_of(slot, stage_of_chunk(program, costs, rank, slot.chunk),
                              stage_of_chunk(program, costs, rank, slot.forward_chunk), costs);
    turns.push_back(turn);
  }
  mark_filling(turns);
  if (costs.traffic == Traffic::kEachGatherToo)
    gather_each(program, costs, rank, turns);
  else if (costs.overlaps_gather)
    gather_once(program, costs, rank, turns);
  if (costs.traffic != Traffic::kOnce)
    reduce_each(program, costs, rank, turns);
  else if (costs.overlaps_reduce)
    reduce_once(program, costs, rank, turns);
}

}  // namespace headrace::training
