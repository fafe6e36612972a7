// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scenario/strategy.h"
#include "training/job.h"
#include "training/memory_habits.h"

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

/// What one layer of each kind, the embedding and the head keep for one micro-batch under a shape, and hold as state,
/// with the software's habits and the constants looked up. Made once per shape.
struct LayerMemory {
  struct Kind {
    double saved_none = 0;  ///< bytes kept for backward per micro-batch without recompute
    double saved_selective = 0;
    double saved_full = 0;  ///< the layer's input only
    double working = 0;  ///< gradients and temporaries alive at once while the layer runs backward, beside what is kept
    double exchange = 0;          ///< all-to-all and gather buffers inside the layer
    double dense_parameters = 0;  ///< per rank: divided by tensor
    double expert_parameters = 0;
    double adapter_parameters = 0;
    double largest_matrix = 0;  ///< parameters of the largest matrix on this rank
  };
  std::vector<Kind> kinds;  ///< as Architecture::kinds
  double embedding_saved = 0;
  double embedding_parameters = 0;
  double head_saved = 0;
  double head_working = 0;     ///< logits, their copies and gradients
  double head_parameters = 0;  ///< of a tied head: those of the embedding it shares
  bool tied = false;
  double layer_stand_ins = 0;  ///< bytes of stand-ins for fused gradients, one for each distinct matrix shape of layers
  double head_stand_in = 0;    ///< that of the head
  MemoryHabits habits;
  MemoryConstants constants;
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
