// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "training/schedule/program.h"

namespace headrace::training {

namespace {

/// Writes one rank's order; each of its two chunks takes its micro-batches in turn.
class Rank {
 public:
  Rank(std::vector<Slot>& order, int micro_batches) : order_(order), micro_batches_(micro_batches) {}

  void forward(int chunk) { add(SlotKind::kForward, chunk, forward_); }
  void input(int chunk) { add(SlotKind::kBackwardInput, chunk, input_); }
  void weight(int chunk) { add(SlotKind::kBackwardWeight, chunk, weight_); }
  void backward(int chunk) {
    input(chunk);
    weight(chunk);
  }
  [[nodiscard]] int forwards(int chunk) const { return forward_[std::size_t(chunk)]; }
  [[nodiscard]] bool owes_weight(int chunk) const { return weight_[std::size_t(chunk)] < input_[std::size_t(chunk)]; }

 private:
  /// Turns past the last micro-batch are left out: the order is that of a longer batch.
  void add(SlotKind kind, int chunk, std::array<int, 2>& next) {
    const int micro_batch = next[std::size_t(chunk)]++;
    if (micro_batch < micro_batches_) order_.push_back(slot(kind, chunk, micro_batch));
  }

  std::vector<Slot>& order_;
  int micro_batches_;
  std::array<int, 2> forward_{}, input_{}, weight_{};
};

/// `all` micro-batches, at least 2p − 1, of which those past the real ones are left out.
void order_rank(Rank& turn, int ranks, int rank, int all) {
  for (int i = 0; i < 2 * (ranks - rank) - 1; ++i) turn.forward(0);
  for (int i = 0; i < rank; ++i) turn.forward(1), turn.forward(0);
  for (int i = 0; i < ranks - rank; ++i) turn.forward(1), turn.backward(1);
  while (turn.forwards(1) < turn.forwards(0) || turn.forwards(0) < all) {
    if (turn.forwards(0) < all) turn.forward(0);
    turn.backward(0);
    turn.forward(1);
    turn.backward(1);
  }
  for (int i = 0; i < rank; ++i) turn.input(0), turn.input(1);
  for (int i = 0; i < ranks - rank; ++i) turn.input(0), turn.weight(0);
  for (const int chunk : {1, 0})
    while (turn.owes_weight(chunk)) turn.weight(chunk);
}

}  // namespace

Program zbv(int ranks, int micro_batches) {
  Program program = placed(scenario::Schedule::kZbv, ranks, 2, micro_batches);
  const int all = micro_batches > 2 * ranks - 1 ? micro_batches : 2 * ranks - 1;
  for (int rank = 0; rank < ranks; ++rank) {
    Rank turn(program.orders[std::size_t(rank)], micro_batches);
    order_rank(turn, ranks, rank, all);
  }
  return program;
}

}  // namespace headrace::training
