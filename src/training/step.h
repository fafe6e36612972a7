// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/estimate.h"
#include "scenario/strategy.h"
#include "training/job.h"
#include "training/layer_works.h"

namespace headrace::training {

/// Seconds per micro-batch of one layer of each kind, the embedding and the head under a shape. Costed once per shape.
struct LayerTimes {
  struct Part {
    double tensor_time = 0;  ///< kernels bound by the matrix units
    double memory_time = 0;  ///< kernels bound by memory bandwidth
    double launch_time = 0;  ///< kernels bound by their launch
    double tensor_comm = 0;  ///< exposed tensor-parallel communication
    double context_comm = 0;
    double expert_comm = 0;
    double weight_time = 0;   ///< of all these, what only gradients of weights take
    double scaleup_busy = 0;  ///< s that these transfers, hidden ones too, occupy the link inside domains
    double network_busy = 0;  ///< and the one between them

    [[nodiscard]] double total() const {
      return tensor_time + memory_time + launch_time + tensor_comm + context_comm + expert_comm;
    }
  };
  struct Kind {
    Part forward;
    Part backward;
    Part recompute_selective;      ///< extra forward work in the backward pass
    double dense_parameters = 0;   ///< per rank, divided by tensor parallel where it divides
    double expert_parameters = 0;  ///< per rank, divided by expert and expert-tensor parallel
  };
  std::vector<Kind> kinds;  ///< as Architecture::kinds
  Part embedding_forward, embedding_backward, head_forward, head_backward;
  double embedding_parameters = 0,
         head_parameters = 0;  ///< per rank; a tied head counts where its stage is not the embedding's
  bool tied = false;           ///< a head on the embedding's own stage holds no parameters
  double accumulate =
      0;  ///< s per parameter and micro-batch to add its gradient to the sum, where no matrix product does
  double boundary_bytes = 0;  ///< sent between pipeline stages per micro-batch and rank
};

LayerTimes layer_times(const Job& job, const Machine& machine, const Shape& shape);
/// The same of works made before, for many machines.
LayerTimes layer_times(const LayerWorks& works, const Job& job, const Machine& machine, const Shape& shape);

/// The step, part by part; the parts sum to `time`.
struct StepTime {
  double time = 0;  ///< s
  double tensor = 0, memory_bound = 0, launch = 0;
  double tensor_comm = 0, context_comm = 0, expert_comm = 0, pipeline_comm = 0, data_comm = 0;
  double recompute = 0;
  double bubble = 0;
  double imbalance = 0;  ///< waiting for the slowest stage
  double optimizer = 0;
  double straggler = 0;  ///< slowest of N
  double other = 0;
};

/// Model FLOPs of one step over all accelerators, full (non-causal) attention counted as most papers do.
double model_flops(const Job& job, const scenario::Strategy& strategy, bool causal);

}  // namespace headrace::training
