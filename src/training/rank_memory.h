// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "training/memory.h"

namespace headrace::training {

/// The two halves of one pipeline rank's memory, in bytes, for a search that makes each half once for many strategies.
/// This one no sharding and no offload changes.
struct RankActivity {
  double saved = 0;     ///< kept for the backward pass, all micro-batches in flight
  double working = 0;   ///< of the layer that needs most, what it recomputes included
  double exchange = 0;  ///< that layer's all-to-all and gather buffers
  double logits = 0;

  /// At the fullest moment of forward and backward.
  [[nodiscard]] double most() const { return saved + std::max(logits, working + exchange); }
};

/// This one no recompute changes.
struct RankStates {
  double weights = 0, gradients = 0, optimizer = 0, buffers = 0;
  double step_temporary = 0;   ///< while the optimizer runs
  double early_gradients = 0;  ///< gradients that are there in the backward pass already
  double gathered = 0;         ///< parameters made whole for a while
  double stand_ins = 0;        ///< of fused gradients

  /// Through all of the step.
  [[nodiscard]] double lasting() const { return weights + optimizer + buffers + stand_ins; }
  /// At its fullest moment beside some activity.
  [[nodiscard]] double with(double activity) const {
    return lasting() + std::max(activity + early_gradients + gathered, gradients + step_temporary);
  }
};

/// How many micro-batches' activations of all its layers a pipeline rank holds at its fullest.
double in_flight(const scenario::Strategy& strategy, int rank);

RankActivity rank_activity(const LayerMemory& layers, const StageLayers& content, int rank,
                           const scenario::Strategy& strategy);
RankStates rank_states(const LayerMemory& layers, const StageLayers& content, const Job& job,
                       const scenario::Strategy& strategy);

/// From the bytes that a rank's tensors hold to those that its device holds: `times` that, and `more`.
struct DeviceBytes {
  double times = 1;
  double more = 0;
};

DeviceBytes device_bytes(const LayerMemory& layers, const scenario::Strategy& strategy);

}  // namespace headrace::training
