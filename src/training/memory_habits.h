// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalog/calibration.h"
#include "catalog/software.h"
#include "scenario/strategy.h"
#include "workload/activations.h"

namespace headrace::training {

/// What a training framework does with memory, read once from the facts of its software entry (`memory.*`,
/// docs/memory.md).
struct MemoryHabits {
  workload::Retention retention;
  double logit_bytes = 14;         ///< bytes per logit alive at once in the loss: its copies and gradients
  double tensor_logit_bytes = 14;  ///< the same where the vocabulary is divided over tensor ranks
  double step_temporary = 0;       ///< bytes per updated parameter that the optimizer step allocates
  bool gradients_persist = true;   ///< gradient buffers exist before the backward pass
  bool gradient_copy = false;      ///< plain data parallel reduces a second copy of the gradients in buckets
  double bucket_bytes = 0;         ///< fixed communication buffers of sharded states
  double gathered_layers = 2;      ///< layers whose parameters are whole at once under ZeRO-3
  bool gathers_root = false;       ///< embedding and head stay whole through the step under ZeRO-3
  bool pipeline_keeps_whole =
      false;  ///< with pipeline, ZeRO-3 keeps a stage's parameters and gradients whole through the step
  bool dummy_gradients = false;  ///< a 16-bit stand-in gradient for each distinct matrix shape (gradient accumulation
                                 ///< fused into the product)
  double fp8_weight_bytes = 0;   ///< cached fp8 copies per matrix parameter
  bool adapters_in_fp32 = false;
  bool unties_embeddings = false;  ///< embedding and head are two matrices even where the model ties them
  bool keeps_whole = false;        ///< ZeRO-3 keeps parameters and, while gradients accumulate, gradients whole
};

/// Constants that no fact gives; units, ranges and evidence in catalog/calibration/memory.yaml.
struct MemoryConstants {
  double context = 0;        ///< bytes of the driver context and kernels, outside the allocator
  double communicator = 0;   ///< bytes per parallel dimension with more than one rank, outside the allocator
  double fragmentation = 0;  ///< reserved over allocated, minus one
  double workspace = 0;      ///< bytes of matrix libraries' workspaces inside the allocator
};

MemoryHabits memory_habits(const catalog::Software& software, const scenario::Numerics& numerics,
                           const scenario::Adaptation& adaptation);

MemoryConstants memory_constants(const catalog::Calibration& calibration);

/// The formats in which the software keeps weights, gradients and optimizer state when asked for a precision
/// ("bf16", "bf16-mixed", "bf16-true", "fp16", "fp32", "fp8", ...).
scenario::Numerics software_numerics(const catalog::Software& software, base::Dtype compute, bool pure);

}  // namespace headrace::training
