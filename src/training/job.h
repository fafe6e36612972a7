// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "cost/collectives.h"
#include "cost/device.h"
#include "scenario/strategy.h"
#include "workload/architecture.h"
#include "workload/operators.h"

namespace headrace::training {

/// What is trained, whatever the strategy.
struct Job {
  workload::Architecture model;
  std::int64_t sequence = 0;  ///< tokens per sequence
  scenario::Numerics numerics;
  scenario::Adaptation adaptation;
  bool causal_mask = true;
};

/// Constants of the step that are looked up once; meanings in catalog/calibration/training.yaml.
struct StepConstants {
  double straggler = 0;         ///< relative spread of one accelerator's step time
  double overlap_slowdown = 0;  ///< share of hidden communication that the computation beside it still feels
  double host_step = 0;         ///< s per step outside all kernels: data loader, gradient norm synchronisation, logging
  double host_pass = 0;         ///< s of the host per forward pass of a model chunk
  double tensor_exposed = 0;    ///< share of overlapped tensor-parallel communication that still shows
  double expert_exposed = 0;    ///< the same for overlapped expert-parallel communication
  double offload_bandwidth = 0;  ///< bytes/s at which optimizer states kept in host memory are updated, per accelerator
  bool zero1_reduces_whole = false;  ///< optimizer sharding that all-reduces gradients instead of scattering them
  bool pipeline_keeps_whole =
      false;                        ///< behind a pipeline ZeRO-3 gathers parameters and scatters gradients once a step
  double optimizer_efficiency = 0;  ///< of the data-sheet memory bandwidth, in the optimizer

  friend bool operator==(const StepConstants&, const StepConstants&) = default;
};

/// What it is trained on: one accelerator type, its links, its software, the constants.
struct Machine {
  cost::Device device;
  cost::Fabric fabric;
  catalog::Software software;
  catalog::Calibration calibration;
  StepConstants constants;
  int accelerators = 0;
};

/// Joins everything once; `network` may be nullptr when all accelerators share one domain. The pointers in `device`
/// stay those given.
base::Result<Machine> make_machine(const catalog::Accelerator& accelerator, const catalog::Platform& platform,
                                   const catalog::Network* network, const catalog::Software& software,
                                   const catalog::Calibration& calibration, int accelerators);

/// The part of a strategy that decides the cost of a layer; many strategies share one shape, which is costed once.
struct Shape {
  int tensor = 1;
  int context = 1;
  int expert = 1;
  int expert_tensor = 1;
  int micro_batch = 1;
  bool sequence_parallel = false;
  bool overlap_tensor = false;
  scenario::ContextKind context_kind = scenario::ContextKind::kRing;

  friend bool operator==(const Shape&, const Shape&) = default;
  friend auto operator<=>(const Shape&, const Shape&) = default;
};

Shape shape_of(const scenario::Strategy& strategy);
workload::Sharding sharding_of(const Shape& shape);
workload::Fusion fusion_of(const catalog::Software& software);

/// The layers of one pipeline rank, all its model chunks together.
struct StageLayers {
  std::vector<int> count_by_kind;  ///< layers of each Architecture::kinds, multi-token-prediction blocks included
  bool embedding = false;
  bool head = false;
  int prediction_heads = 0;  ///< further runs of the head, one for each multi-token-prediction block

  friend bool operator==(const StageLayers&, const StageLayers&) = default;
};

/// Which layers every pipeline rank holds, first rank first; depends on the two pipeline degrees and the schedule's
/// placement alone, so that a search makes it once for each.
struct Layout {
  int pipeline = 1;
  int virtual_pipeline = 1;
  std::vector<StageLayers> stages;  ///< of each rank, all its chunks together
  std::vector<StageLayers> chunks;  ///< of each model stage, embedding first
  int copies = 1;                   ///< ranks that hold each stage: 2 with DualPipe
  std::vector<int> distinct;        ///< one rank of each different content, ascending
  std::vector<int> repeats;         ///< how many ranks are like distinct[i]
  std::vector<int> last;            ///< the last of them
  std::vector<int> entries;  ///< one of each different content among the first `pipeline` model stages, ascending
  std::vector<std::vector<int>> before;  ///< of those stages before last[i], how many are like each of `entries`
};

/// Model chunks go to the ranks as the schedule places them. An uneven division gives the first and the last chunk
/// fewer layers, where embedding and head sit, as Megatron-Core does when asked for.
Layout divide_layers(const workload::Architecture& model, int pipeline, int virtual_pipeline,
                     scenario::Schedule schedule = scenario::Schedule::k1f1b);

}  // namespace headrace::training
