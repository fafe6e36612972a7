// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "training/schedule/program.h"

namespace headrace::training {

namespace {

/// Writes one rank's order. Its near chunk is that of the micro-batches which enter at its own end of the pipeline.
class Rank {
 public:
  Rank(std::vector<Slot>& order, int half, bool second) : order_(order), half_(half), second_(second) {}

  void forward(int far) { order_.push_back(slot(SlotKind::kForward, chunk(far), next(forward_, far))); }
  void backward(int far) { order_.push_back(slot(SlotKind::kBackward, chunk(far), next(backward_, far))); }
  void input(int far) {
    order_.push_back(slot(SlotKind::kBackwardInput, chunk(far), next(backward_, far)));
    owed_.emplace_back(chunk(far), order_.back().micro_batch);
  }
  void weight() {
    const auto [owed_chunk, micro_batch] = owed_[paid_++];
    order_.push_back(slot(SlotKind::kBackwardWeight, owed_chunk, micro_batch));
  }
  /// A forward of one chunk beside a backward of the other.
  void pair(int forward_far) {
    Slot both = slot(SlotKind::kPair, chunk(1 - forward_far), next(backward_, 1 - forward_far));
    both.forward_chunk = std::int16_t(chunk(forward_far));
    both.forward_micro_batch = next(forward_, forward_far);
    order_.push_back(both);
  }

 private:
  [[nodiscard]] int chunk(int far) const { return second_ ? 1 - far : far; }
  /// Chunk 1 takes the second half of the micro-batches.
  int next(std::array<int, 2>& turns, int far) const { return turns[std::size_t(far)]++ + chunk(far) * half_; }

  std::vector<Slot>& order_;
  int half_;
  bool second_;
  std::array<int, 2> forward_{}, backward_{};
  std::vector<std::pair<int, int>> owed_;
  std::size_t paid_ = 0;
};

/// The eight steps of the schedule for a rank `from_end` away from its end of the pipeline.
void order_rank(Rank& turn, int ranks, int from_end, int half) {
  const int behind = ranks / 2 - from_end - 1;
  for (int i = 0; i < 2 * behind; ++i) turn.forward(0);
  for (int i = 0; i <= from_end; ++i) turn.forward(0), turn.forward(1);
  for (int i = 0; i < behind; ++i) turn.input(1), turn.weight(), turn.forward(1);
  for (int i = 0; i < half - ranks + from_end + 1; ++i) {
    // The two middle ranks do not pair the first two, which would wait for each other.
    if (i == 0 && behind == 0)
      turn.forward(0), turn.backward(1);
    else
      turn.pair(0);
    turn.pair(1);
  }
  for (int i = 0; i < behind; ++i) turn.backward(1), turn.pair(1);
  // From half way on the weight halves wait.
  for (int i = 0, split = 0; i <= from_end; ++i) {
    const bool here = i == (from_end + 1) / 2;
    split = split || (here && from_end % 2 == 1);
    split ? turn.input(1) : turn.backward(1);
    split = split || here;
    split ? turn.input(0) : turn.backward(0);
  }
  for (int i = 0; i < behind; ++i) turn.weight(), turn.input(0);
  for (int i = 0; i <= from_end; ++i) turn.weight();
}

}  // namespace

Program dualpipe(int ranks, int micro_batches) {
  Program program = placed(scenario::Schedule::kDualPipe, ranks, 2, micro_batches);
  program.stages = ranks;
  program.bidirectional = true;
  for (int rank = 0; rank < ranks; ++rank) {
    const bool second = rank >= ranks / 2;
    Rank turn(program.orders[std::size_t(rank)], micro_batches / 2, second);
    order_rank(turn, ranks, second ? ranks - 1 - rank : rank, micro_batches / 2);
  }
  return program;
}

}  // namespace headrace::training
