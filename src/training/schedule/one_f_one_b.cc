// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "training/schedule/program.h"

namespace headrace::training {

Program one_f_one_b(int ranks, int micro_batches) {
  Program program = placed(scenario::Schedule::k1f1b, ranks, 1, micro_batches);
  for (int rank = 0; rank < ranks; ++rank) {
    auto& order = program.orders[std::size_t(rank)];
    const int warm_up = std::min(micro_batches, ranks - 1 - rank);
    for (int i = 0; i < micro_batches + warm_up; ++i) {
      if (i < micro_batches) order.push_back(slot(SlotKind::kForward, 0, i));
      if (i >= warm_up) order.push_back(slot(SlotKind::kBackward, 0, i - warm_up));
    }
  }
  return program;
}

}  // namespace headrace::training
