// SPDX-License-Identifier: Apache-2.0
#include "workload/operators.h"

#include <algorithm>

#include "workload/layer_parts.h"
#include "workload/parameters.h"

namespace headrace::workload {

const char* op_name(OpName name) {
  switch (name) {
    case OpName::kEmbedding: return "op.embedding";
    case OpName::kQkv: return "op.qkv";
    case OpName::kAttention: return "op.attention";
    case OpName::kAttentionOutput: return "op.attention_output";
    case OpName::kMlpUp: return "op.mlp_up";
    case OpName::kMlpDown: return "op.mlp_down";
    case OpName::kRouter: return "op.router";
    case OpName::kExpertUp: return "op.expert_up";
    case OpName::kExpertDown: return "op.expert_down";
    case OpName::kSharedExpert: return "op.shared_expert";
    case OpName::kPermute: return "op.permute";
    case OpName::kNorm: return "op.norm";
    case OpName::kRotary: return "op.rotary";
    case OpName::kActivation: return "op.activation";
    case OpName::kResidual: return "op.residual";
    case OpName::kSoftmax: return "op.softmax";
    case OpName::kScan: return "op.scan";
    case OpName::kHead: return "op.head";
    case OpName::kCrossEntropy: return "op.cross_entropy";
    case OpName::kQuantize: return "op.quantize";
    case OpName::kOptimizer: return "op.optimizer";
  }
  return "op.other";
}

namespace {

void add_mixer_work(Work& work, const Context& context, const Mixer& mixer) {
  switch (mixer.kind) {
    case MixerKind::kNone: return;
    case MixerKind::kAttention: return add_attention_work(work, context, mixer);
    case MixerKind::kLatent: return add_latent_work(work, context, mixer);
    case MixerKind::kMamba:
    case MixerKind::kMamba2:
    case MixerKind::kLinear: return add_state_space_work(work, context, mixer);
  }
}

bool has_feed_forward(const FeedForward& mlp) { return mlp.hidden > 0 || mlp.experts > 0; }

void add_feed_forward_work(Work& work, const Context& context, const FeedForward& mlp, bool exchange) {
  const bool dense = mlp.hidden > 0 || mlp.shared_hidden > 0;
  if (exchange && dense) add_tensor_exchange(work, context, true, context.hidden());
  if (mlp.hidden > 0)
    add_dense_work(work, context, mlp, static_cast<double>(mlp.hidden), OpName::kMlpUp, OpName::kMlpDown);
  if (mlp.shared_hidden > 0) {
    add_dense_work(work, context, mlp, static_cast<double>(mlp.shared_hidden), OpName::kSharedExpert,
                   OpName::kSharedExpert);
  }
  if (exchange && dense) add_tensor_exchange(work, context, false, context.hidden());
  if (mlp.experts > 0) add_expert_work(work, context, mlp);
}

}  // namespace

Work layer_work(const Architecture& model, const LayerKind& kind, const Batch& batch, const Sharding& sharding,
                const Fusion& fusion, base::Dtype compute, Pass pass) {
  Work work;
  const Context context = make_context(model, batch, sharding, fusion, compute, pass);
  for (int i = 0; i < kind.norms; ++i) add_norm(work, context, kind.norm, context.residual_tokens(), context.hidden());
  const bool mixes = kind.mixer.kind != MixerKind::kNone;
  const bool feeds = has_feed_forward(kind.feed_forward);
  // A parallel residual enters and leaves the tensor-parallel region once for both branches.
  if (mixes) {
    if (kind.mixer.kind != MixerKind::kLatent) add_tensor_exchange(work, context, true, context.hidden());
    add_mixer_work(work, context, kind.mixer);
    add_tensor_exchange(work, context, false, context.hidden());
    add_residual(work, context);
  }
  if (feeds) {
    add_feed_forward_work(work, context, kind.feed_forward, !(kind.parallel_residual && mixes));
    add_residual(work, context);
  }
  return work;
}

Operator optimizer_work(double parameters, double bytes_per_parameter) {
  Operator op;
  op.name = OpName::kOptimizer;
  op.dtype = base::Dtype::kFp32;
  op.bytes = parameters * bytes_per_parameter;
  // Adam: two moment updates, bias corrections, a root, a division, weight decay.
  op.flops = 15 * parameters;
  return op;
}

namespace {

/// Multiply-adds of one token's attention over `sequence` tokens in one layer, forward.
double attention_products(const Mixer& mixer, double sequence, bool causal) {
  if (mixer.kind != MixerKind::kAttention && mixer.kind != MixerKind::kLatent) return 0;
  const double window = static_cast<double>(mixer.window > 0 ? mixer.window : mixer.index_top_k);
  double seen = sequence;
  if (causal) {
    seen = attended_pairs(sequence, true, window) / sequence;
  } else if (window > 0) {
    seen = std::min(sequence, window);
  }
  return static_cast<double>(mixer.heads * (mixer.head_dim + mixer.value_dim)) * seen;
}

}  // namespace

double model_flops_per_token(const Architecture& model, double sequence, bool causal) {
  const Parameters sum = parameters(model);
  const double matrix = static_cast<double>(model.vocabulary) *
                        static_cast<double>(model.embedding_width > 0 ? model.embedding_width : model.hidden);
  double products = sum.active_with_embedding - sum.embedding + (model.tied_embeddings ? matrix : 0);
  for (const int layer : model.layers)
    products += attention_products(model.kinds[static_cast<std::size_t>(layer)].mixer, sequence, causal);
  return 6 * products;
}

}  // namespace headrace::workload
