// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/dtype.h"

namespace headrace::scenario {

enum class DataParallel { kDdp, kZero1, kZero2, kZero3 };  ///< FSDP is kZero3; HSDP is kZero3 with a shard group
enum class Recompute { kNone, kSelective, kFull };
/// How the ranks of context parallelism attend to each other's tokens: keys and values go round them, or all-to-alls
/// give each rank whole sequences of its share of the heads (DeepSpeed-Ulysses, arXiv 2309.14509).
enum class ContextKind { kRing, kAllToAll };
enum class Schedule { kGpipe, k1f1b, kInterleaved, kZeroBubbleH1, kZeroBubbleH2, kZbv, kDualPipe };

/// One way to divide a training step over accelerators. Degrees count ranks; tensor × pipeline × context × data =
/// accelerators, and expert × expert_tensor divides tensor × context × data.
struct Strategy {
  int tensor = 1;
  int pipeline = 1;
  int virtual_pipeline = 1;  ///< model chunks per pipeline rank; above 1 the schedule is interleaved
  int context = 1;
  int data = 1;
  int expert = 1;
  int expert_tensor = 1;
  int micro_batch = 1;                            ///< sequences
  std::int64_t global_batch = 1;                  ///< sequences
  ContextKind context_kind = ContextKind::kRing;  ///< means nothing without context parallelism
  bool sequence_parallel = false;
  DataParallel data_parallel = DataParallel::kZero1;
  int shard_group = 0;  ///< ranks that states are sharded over; 0 = all data × context ranks
  Recompute recompute = Recompute::kNone;
  int recompute_layers = -1;  ///< with kFull: how many layers of each model chunk; -1 = all
  Schedule schedule = Schedule::k1f1b;
  bool overlap_gradient_reduce = false;
  bool overlap_parameter_gather = false;
  bool overlap_tensor = false;
  bool offload_optimizer = false;
  bool offload_parameters = false;   ///< weights and gradients live in host memory between uses
  bool offload_activations = false;  ///< what recompute keeps lives in host memory

  friend bool operator==(const Strategy&, const Strategy&) = default;
};

/// Model chunks that a pipeline rank holds.
inline int chunks_per_rank(const Strategy& strategy) {
  return strategy.schedule == Schedule::kDualPipe ? 2 : strategy.virtual_pipeline;
}

/// Whether context parallelism works by all-to-alls over heads.
inline bool exchanges_heads(const Strategy& strategy) {
  return strategy.context > 1 && strategy.context_kind == ContextKind::kAllToAll;
}

enum class Optimizer { kAdamW, kAdam8bit, kSgd, kMuon, kAdafactor };

/// Which number formats a training run keeps where. Mixed bf16: weights bf16, gradients fp32, master and moments fp32.
struct Numerics {
  base::Dtype compute = base::Dtype::kBf16;
  base::Dtype weights = base::Dtype::kBf16;
  base::Dtype gradients = base::Dtype::kFp32;
  bool master_weights = true;  ///< an fp32 copy in the optimizer
  base::Dtype moments = base::Dtype::kFp32;
  Optimizer optimizer = Optimizer::kAdamW;
  bool optimizer_in_backward = false;  ///< each gradient is applied and freed as soon as it is there
};

/// Bits per weight of nf4: 4, an 8-bit scale per 64 weights and a 32-bit one per 256 of those (QLoRA, arXiv 2305.14314,
/// section 3).
inline constexpr double kNf4Bits = 4 + 8.0 / 64 + 32.0 / (64 * 256);

enum class FineTuning { kFull, kLora, kQlora };

struct Adaptation {
  FineTuning kind = FineTuning::kFull;
  double rank = 16;
  double trainable_parameters = 0;  ///< 0 = from rank and targets
  bool all_linear = false;          ///< adapters on every matrix, else on attention queries and values
  bool trains_embeddings = false;   ///< embedding and head trained as well
  double frozen_bits = 16;          ///< bits per frozen weight: 16 for LoRA, about 4.5 for nf4 with its scales
};

}  // namespace headrace::scenario
