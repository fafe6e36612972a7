// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "training/step.h"

namespace headrace::training {

/// One pipeline rank's work on one micro-batch, all its chunks, and the parameters it holds before data-parallel
/// sharding.
struct StageTime {
  LayerTimes::Part forward, backward;
  double recompute = 0;
  double dense_parameters = 0;
  double expert_parameters = 0;
  double layers = 0;

  [[nodiscard]] double total() const { return forward.total() + backward.total() + recompute; }
};

StageTime stage_time(const LayerTimes& layers, const StageLayers& stage, const scenario::Strategy& strategy);

/// What data parallelism adds to a step beyond the micro-batches' own work, in seconds.
struct DataParallelTime {
  double exposed = 0;    ///< gradient reduction and parameter gathering that no computation hides
  double optimizer = 0;  ///< gradient norm, clipping and the update of the states that a rank keeps
};

DataParallelTime data_parallel_time(const LayerTimes& layers, const Layout& layout, const Job& job,
                                    const Machine& machine, const scenario::Strategy& strategy, double micro_batches);

}  // namespace headrace::training
