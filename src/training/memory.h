// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scenario/strategy.h"
#include "training/job.h"

namespace headrace::training {

/// Which peak a measurement states.
enum class MemoryQuantity {
  kAllocated,  ///< torch.cuda.max_memory_allocated
  kReserved,   ///< torch.cuda.max_memory_reserved: with the allocator's fragmentation
  kDevice,     ///< nvidia-smi: with context and communication library
};

/// Bytes on one accelerator at the peak of a step, by category; the categories sum to the peak.
struct Memory {
  double weights = 0;
  double gradients = 0;
  double optimizer = 0;
  double activations = 0;
  double communication = 0;  ///< gathered parameters, buckets, all-to-all buffers
  double logits = 0;         ///< logits, their fp32 copy and gradient, when alive at the peak
  double other = 0;          ///< fragmentation, context, workspace: by MemoryQuantity
  int stage = 0;             ///< pipeline rank of the peak

  [[nodiscard]] double total() const {
    return weights + gradients + optimizer + activations + communication + logits + other;
  }
};

/// What one layer of each kind, the embedding and the head keep for one micro-batch under a shape, and hold as state.
/// Costed once per shape.
struct LayerMemory {
  struct Kind {
    double saved_none = 0;  ///< bytes kept for backward per micro-batch without recompute
    double saved_selective = 0;
    double saved_full = 0;  ///< the layer's input only
    double working = 0;  ///< most that is alive at once while one layer runs forward + backward, beyond what is saved
    double dense_parameters = 0;  ///< per rank: divided by tensor
    double expert_parameters = 0;
  };
  std::vector<Kind> kinds;  ///< as Architecture::kinds
  double embedding_saved = 0;
  double embedding_parameters = 0;
  double head_saved = 0;
  double head_working = 0;
  double head_parameters = 0;
};

LayerMemory layer_memory(const Job& job, const Machine& machine, const Shape& shape);

/// Peak of the fullest stage; `layout` is that of the strategy's pipeline degrees. Cheap: a few dozen operations,
/// independent of data-parallel width and number of layers.
Memory peak_memory(const LayerMemory& layers, const Layout& layout, const Job& job, const Machine& machine,
                   const scenario::Strategy& strategy, MemoryQuantity quantity = MemoryQuantity::kReserved);
/// The same for every pipeline rank.
std::vector<Memory> stage_memory(const LayerMemory& layers, const Layout& layout, const Job& job,
                                 const Machine& machine, const scenario::Strategy& strategy,
                                 MemoryQuantity quantity = MemoryQuantity::kReserved);

}  // namespace headrace::training
