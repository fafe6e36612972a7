// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "scenario/strategy.h"

namespace headrace::training {

enum class SlotKind : std::uint8_t {
  kForward,
  kBackward,        ///< of inputs and weights
  kBackwardInput,   ///< what the stage before waits for
  kBackwardWeight,  ///< what only the optimizer waits for
  kPair,            ///< a whole backward with another micro-batch's forward beside it
};

/// One turn of a pipeline rank.
struct Slot {
  SlotKind kind = SlotKind::kForward;
  std::int16_t chunk = 0;
  std::int32_t micro_batch = 0;
  std::int16_t forward_chunk = 0;  ///< of a pair's forward
  std::int32_t forward_micro_batch = 0;
};

/// Who does what in which order: a schedule for p ranks of v model chunks and m micro-batches.
struct Program {
  int ranks = 1, chunks = 1, micro_batches = 1;
  int stages = 1;
  bool bidirectional = false;      ///< the second half of the micro-batches runs from the last rank to the first
  std::vector<int> stage_of = {};  ///< by rank · chunks + chunk
  std::vector<std::vector<Slot>> orders = {};  ///< of each rank

  [[nodiscard]] int stage(int rank, int chunk) const {
    return stage_of[std::size_t(rank) * std::size_t(chunks) + std::size_t(chunk)];
  }
  /// 1 for the micro-batches that enter a bidirectional pipeline at the last rank.
  [[nodiscard]] int direction(int micro_batch) const { return bidirectional && micro_batch >= micro_batches / 2; }
};

/// GPipe: all forwards, then all backwards, the last micro-batch first. Source: Huang et al., arXiv 1811.06965.
Program gpipe(int ranks, int micro_batches);
/// 1F1B with a flush. Source: Narayanan et al., arXiv 2104.04473, section 2.2.
Program one_f_one_b(int ranks, int micro_batches);
/// 1F1B over `chunks` model chunks per rank, in Megatron-Core's order; m ≥ p or m < p alike.
Program interleaved(int ranks, int chunks, int micro_batches);
/// ZB-H1: 1F1B's memory, a third of its bubble when forward and both halves of backward take equally long. Source: Qi
/// et al., arXiv 2401.10241, section 2.
Program zero_bubble_h1(int ranks, int micro_batches);
/// ZB-H2: no rank pauses between its first and last slot when all three take equally long; 2p − 1 micro-batches in
/// flight. The same source.
Program zero_bubble_h2(int ranks, int micro_batches);
/// ZB-V: two chunks per rank placed as a V, so that the loss is on the first rank; no pause as H2, and 1F1B's memory.
/// Source: Qi et al., arXiv 2405.15362.
Program zbv(int ranks, int micro_batches);
/// DualPipe: each rank holds a stage and its mirror image, and micro-batches enter at both ends. Ranks even,
/// micro-batches even and at least twice the ranks. Source: DeepSeek-V3, arXiv 2412.19437, section 3.2.1; DualPipe
/// (facts).
Program dualpipe(int ranks, int micro_batches);

/// The program of a strategy's schedule.
Program program_of(scenario::Schedule schedule, int ranks, int chunks, int micro_batches);

/// The model stage of a rank's chunk.
int stage_of(scenario::Schedule schedule, int ranks, int rank, int chunk);

}  // namespace headrace::training
