// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "training/schedule/program.h"

namespace headrace::training {

namespace {

/// One rank's order of 1F1B with backward in two halves: `lead` forwards before the first backward, and the weight half
/// of a micro-batch `lag` backwards after its input half.
void order_rank(std::vector<Slot>& order, int micro_batches, int lead, int lag) {
  lead = std::min(lead, micro_batches);
  for (int i = 0; i < lead; ++i) order.push_back(slot(SlotKind::kForward, 0, i));
  for (int i = 0; i < micro_batches; ++i) {
    order.push_back(slot(SlotKind::kBackwardInput, 0, i));
    if (i >= lag) order.push_back(slot(SlotKind::kBackwardWeight, 0, i - lag));
    if (lead + i < micro_batches) order.push_back(slot(SlotKind::kForward, 0, lead + i));
  }
  for (int i = std::max(0, micro_batches - lag); i < micro_batches; ++i)
    order.push_back(slot(SlotKind::kBackwardWeight, 0, i));
}

}  // namespace

Program zero_bubble_h1(int ranks, int micro_batches) {
  Program program = placed(scenario::Schedule::kZeroBubbleH1, ranks, 1, micro_batches);
  for (int rank = 0; rank < ranks; ++rank)
    order_rank(program.orders[std::size_t(rank)], micro_batches, ranks - rank, rank);
  return program;
}

Program zero_bubble_h2(int ranks, int micro_batches) {
  Program program = placed(scenario::Schedule::kZeroBubbleH2, ranks, 1, micro_batches);
  for (int rank = 0; rank < ranks; ++rank)
    order_rank(program.orders[std::size_t(rank)], micro_batches, 2 * (ranks - rank) - 1, 2 * rank);
  return program;
}

}  // namespace headrace::training
