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

/// What data parallelism moves and updates in a step, in seconds, whether or not computation hides it. Recompute and
/// schedule do not change it.
struct DataParallelLoad {
  double gather = 0;      ///< parameters of the first stage, once
  double reduce = 0;      ///< gradients of the first stage, once
  double accumulate = 0;  ///< adding one micro-batch's gradients of the first stage to those before
  double optimizer = 0;   ///< gradient norm, clipping and the update of the states that a rank keeps, slowest stage
};

/// The same of one model stage of `stages`.
DataParallelLoad data_parallel_load(const StageTime& stage, int stages, const LayerTimes& layers, const Job& job,
                                    const Machine& machine, const scenario::Strategy& strategy);
DataParallelLoad data_parallel_load(const LayerTimes& layers, const Layout& layout, const Job& job,
                                    const Machine& machine, const scenario::Strategy& strategy);

/// What the slowest of all ranks makes of a step's time.
double straggler_stretch(const Machine& machine);

/// Whether data-parallel traffic goes between domains.
bool reduces_over_network(const Machine& machine, const scenario::Strategy& strategy);

/// The gradient norm: every rank waits for the sum over all of one number.
double norm_time(const Machine& machine);

/// What data-parallel communication may hide behind: the passes of one micro-batch at the pace of the pipeline.
struct Passes {
  double forward = 0;
  double backward = 0;  ///< with recompute
  double layers = 1;    ///< pieces in which the first stage communicates
};

/// Gradient reduction and parameter gathering that no computation hides.
double exposed_time(const Passes& passes, double micro_batches, const DataParallelLoad& load, const Machine& machine,
                    const scenario::Strategy& strategy);

/// A step but for its data-parallel part, and what that part may hide behind. Sharding, overlaps of it and offload do
/// not change it.
struct StepWork {
  StepTime parts;      ///< time and straggler, data_comm and optimizer still 0
  double sum = 0;      ///< of the parts
  double stretch = 1;  ///< by the slowest rank
  Passes passes;
  double micro_batches = 0;
};

StepWork step_work(const LayerTimes& layers, const Layout& layout, const Machine& machine,
                   const scenario::Strategy& strategy);

/// Both together: the time of step_time, for a search that makes each half once for many strategies.
inline double step_seconds(const StepWork& work, const DataParallelLoad& load, const Machine& machine,
                           const scenario::Strategy& strategy) {
  const double exposed = exposed_time(work.passes, work.micro_batches, load, machine, strategy);
  return (work.sum + exposed + load.optimizer) * work.stretch;
}

}  // namespace headrace::training
