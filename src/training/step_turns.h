// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "training/schedule/schedule.h"
#include "training/step_costs.h"
#include "training/step_graph.h"

namespace headrace::training {

/// One slot of a rank with its figures.
struct Turn {
  Slot slot;
  StepTag tag;
  double seconds = 0;
  int pieces = 1;
  double gather = 0;              ///< s of parameters that travel beside it, piece by piece
  double reduce = 0;              ///< s of gradients
  bool reduces_by_piece = false;  ///< else all of them after the last piece, and the next turn waits
  bool filling = false;           ///< before the first backward of its rank, or after the last forward

  [[nodiscard]] bool forward() const { return slot.kind == SlotKind::kForward || slot.kind == SlotKind::kPair; }
  /// Gives the stage before what it waits for.
  [[nodiscard]] bool backward() const {
    return slot.kind == SlotKind::kBackward || slot.kind == SlotKind::kBackwardInput || slot.kind == SlotKind::kPair;
  }
  [[nodiscard]] bool finishes_weights() const {
    return slot.kind != SlotKind::kForward && slot.kind != SlotKind::kBackwardInput;
  }
};

/// The turns of a rank in its order.
void list_turns(const Program& program, const StepCosts& costs, int rank, std::vector<Turn>& turns);

}  // namespace headrace::training
