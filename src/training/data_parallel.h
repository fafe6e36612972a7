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

/// All layers of a stage, whatever their kind.
int layers_of(const StageLayers& stage);

StageTime stage_time(const LayerTimes& layers, const StageLayers& stage, const scenario::Strategy& strategy);

/// What data parallelism moves and updates in a step, in seconds, whether or not computation hides it. Recompute and
/// schedule do not change it.
struct DataParallelLoad {
  double gather = 0;      ///< parameters, once
  double reduce = 0;      ///< gradients, once
  double accumulate = 0;  ///< adding one micro-batch's gradients to those before
  double optimizer = 0;   ///< gradient norm, clipping and the update of the states that a rank keeps
};

/// That of one model stage of `stages`.
DataParallelLoad data_parallel_load(const StageTime& stage, int stages, const LayerTimes& layers, const Job& job,
                                    const Machine& machine, const scenario::Strategy& strategy);

/// How data-parallel traffic goes with the passes.
enum class Traffic : std::uint8_t {
  kOnce,           ///< parameters before the first forward, gradients after the last backward
  kEachReduce,     ///< gradients after every backward
  kEachGatherToo,  ///< and parameters before every pass
};

Traffic traffic_of(const Machine& machine, const scenario::Strategy& strategy);

/// What the slowest of all ranks makes of a step's time.
double straggler_stretch(const Machine& machine);

/// Whether data-parallel traffic goes between domains.
bool reduces_over_network(const Machine& machine, const scenario::Strategy& strategy);

/// The gradient norm: every rank waits for the sum over all of one number.
double norm_time(const Machine& machine);

}  // namespace headrace::training
