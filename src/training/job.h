// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// What it is trained on: one accelerator type, its links, its software, the constants.
struct Machine {
  cost::Device device;
  cost::Fabric fabric;
  catalog::Software software;
  catalog::Calibration calibration;
  int accelerators = 0;
};

/// The part of a strategy that decides the cost of a layer; many strategies share one shape, which is costed once.
struct Shape {
  int tensor = 1;
  int context = 1;
  int expert = 1;
  int expert_tensor = 1;
  int micro_batch = 1;
  bool sequence_parallel = false;
  bool overlap_tensor = false;

  friend bool operator==(const Shape&, const Shape&) = default;
  friend auto operator<=>(const Shape&, const Shape&) = default;
};

Shape shape_of(const scenario::Strategy& strategy);
workload::Sharding sharding_of(const Shape& shape);
workload::Fusion fusion_of(const catalog::Software& software);

/// Which layers a pipeline rank holds, first rank first; model chunks of interleaved schedules round-robin. Uneven divisions give the first
/// ranks less where embedding and head sit, as Megatron-Core does when asked for.
struct StageLayers {
  std::vector<int> count_by_kind;  ///< layers of each Architecture::kinds
  bool embedding = false;
  bool head = false;
};
std::vector<StageLayers> divide_layers(const workload::Architecture& model, int pipeline, int virtual_pipeline);

}  // namespace headrace::training
