// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/dtype.h"
#include "workload/architecture.h"

namespace headrace::workload {

/// Ways in which one layer is divided over accelerators.
struct Sharding {
  int tensor = 1;
  int context = 1;
  int expert = 1;
  int expert_tensor = 1;
  bool sequence_parallel = false;  ///< norms and residuals divided over the tensor ranks
  bool exchanges_heads = false;    ///< context ranks hold whole sequences of fewer heads in attention

  /// Ranks over which attention divides its heads.
  [[nodiscard]] int head_ranks() const { return exchanges_heads ? tensor * context : tensor; }
};

/// The tokens of one micro-batch.
struct Batch {
  std::int64_t sequences = 1;
  std::int64_t length = 0;  ///< tokens per sequence, before context parallelism divides them
};

/// What the software fuses: decides how often element-wise data goes through memory.
struct Fusion {
  bool flash_attention = true;
  bool softmax = true;  ///< scale, mask and softmax of unfused attention in one kernel
  bool norms = true;
  bool activation = true;
  bool rotary = true;
  bool dropout_residual = true;
  bool cross_entropy = true;
  bool compiled = false;
};

enum class Pass { kForward, kBackward };

enum class OpKind { kGemm, kGroupedGemm, kAttention, kElementwise, kScan };

/// Which part of the model an operator is; a message id by `op_name`.
enum class OpName {
  kEmbedding,
  kQkv,
  kAttention,
  kAttentionOutput,
  kMlpUp,
  kMlpDown,
  kRouter,
  kExpertUp,
  kExpertDown,
  kSharedExpert,
  kPermute,
  kNorm,
  kRotary,
  kActivation,
  kResidual,
  kSoftmax,
  kScan,
  kHead,
  kCrossEntropy,
  kQuantize,
  kOptimizer,
};

const char* op_name(OpName name);

/// One piece of work on one accelerator, knowing no hardware.
struct Operator {
  OpKind kind = OpKind::kElementwise;
  OpName name = OpName::kNorm;
  base::Dtype dtype = base::Dtype::kBf16;
  // Matrix products: `groups` of m×k by k×n.
  double m = 0, n = 0, k = 0;
  double groups = 1;
  // Attention: per sequence `heads` of q_length × kv_length with head_dim and value_dim.
  double sequences = 0, heads = 0, kv_heads = 0, q_length = 0, kv_length = 0, head_dim = 0, value_dim = 0;
  bool causal = true;
  double window = 0;
  // For all kinds
  double flops = 0;  ///< multiply and add count two; causal attention counts what is computed
  double bytes = 0;  ///< through memory at least once: inputs, weights, outputs
  int launches = 1;
};

enum class Collective { kAllReduce, kAllGather, kReduceScatter, kAllToAll, kSendReceive, kBroadcast };
enum class Axis { kTensor, kContext, kExpert, kExpertTensor, kData, kPipeline };

/// Data that must move between the ranks of one axis during an operator list.
struct Transfer {
  Collective collective = Collective::kAllReduce;
  Axis axis = Axis::kTensor;
  double bytes = 0;             ///< the whole buffer as nccl-tests counts it (all-gather: the gathered size)
  bool beside_product = false;  ///< a matrix product of the same layer does not need it and may run meanwhile
};

struct Work {
  std::vector<Operator> operators;
  std::vector<Transfer> transfers;
};

/// What one layer does with one micro-batch on one rank, forward or backward (data and weight gradients).
Work layer_work(const Architecture& model, const LayerKind& kind, const Batch& batch, const Sharding& sharding,
                const Fusion& fusion, base::Dtype compute, Pass pass);
/// Embedding look-up (first stage).
Work embedding_work(const Architecture& model, const Batch& batch, const Sharding& sharding, base::Dtype compute,
                    Pass pass);
/// Final norm, LM head and loss (last stage).
Work head_work(const Architecture& model, const Batch& batch, const Sharding& sharding, const Fusion& fusion,
               base::Dtype compute, Pass pass);
/// One Adam step over `parameters` held by this rank: reads and writes `bytes_per_parameter`.
Operator optimizer_work(double parameters, double bytes_per_parameter);

/// Model FLOPs of one training step per token: 6 · (active parameters without the embedding look-up) + attention,
/// causal half counted when `causal`.
double model_flops_per_token(const Architecture& model, double sequence, bool causal);

}  // namespace headrace::workload
