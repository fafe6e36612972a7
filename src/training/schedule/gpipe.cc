// SPDX-License-Identifier: Apache-2.0
#include "training/schedule/program.h"

namespace headrace::training {

Program gpipe(int ranks, int micro_batches) {
  Program program = placed(scenario::Schedule::kGpipe, ranks, 1, micro_batches);
  for (auto& order : program.orders) {
    for (int i = 0; i < micro_batches; ++i) order.push_back(slot(SlotKind::kForward, 0, i));
    for (int i = micro_batches - 1; i >= 0; --i) order.push_back(slot(SlotKind::kBackward, 0, i));
  }
  return program;
}

}  // namespace headrace::training
