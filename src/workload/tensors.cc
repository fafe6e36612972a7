// SPDX-License-Identifier: Apache-2.0
#include "workload/tensors.h"

namespace headrace::workload {
namespace {

double as_double(std::int64_t n) { return static_cast<double>(n); }

/// Collects the weights of one part of a layer.
class Collector {
 public:
  Collector(Tensors& tensors, Part part) : tensors_(&tensors), part_(part) {}

  /// A matrix from `inputs` to `outputs` whose outputs tensor parallelism divides.
  void column(double inputs, double outputs, bool bias, double count = 1) {
    linear(Division::kTensor, inputs, outputs, count);
    if (bias) vector(Division::kTensor, outputs, count);
  }
  /// A matrix whose inputs tensor parallelism divides; its bias is whole on each rank.
  void row(double inputs, double outputs, bool bias, double count = 1) {
    linear(Division::kTensor, inputs, outputs, count);
    if (bias) vector(Division::kReplicated, outputs, count);
  }
  /// A matrix that is whole on each rank.
  void whole(double inputs, double outputs, bool bias = false) {
    linear(Division::kReplicated, inputs, outputs, 1);
    if (bias) vector(Division::kReplicated, outputs, 1);
  }
  void expert(double inputs, double outputs, bool bias, double count) {
    linear(Division::kExpert, inputs, outputs, count);
    if (bias) vector(Division::kExpert, outputs, count);
  }
  void vector(Division division, double width, double count = 1) {
    if (width * count > 0) tensors_->push_back({part_, division, width, 1, count, false});
  }

 private:
  void linear(Division division, double inputs, double outputs, double count) {
    if (inputs * outputs * count > 0) tensors_->push_back({part_, division, outputs, inputs, count, true});
  }
  Tensors* tensors_;
  Part part_;
};

double norm_weights(NormKind kind, bool bias, double width) {
  if (kind == NormKind::kPlain) return 0;
  return bias ? 2 * width : width;
}

void add_attention(Tensors& tensors, double hidden, const Mixer& mixer) {
  Collector add(tensors, Part::kAttention);
  const double query = as_double(mixer.heads * mixer.head_dim);
  const double key = as_double(mixer.kv_heads * mixer.head_dim);
  const double value = as_double(mixer.kv_heads * mixer.value_dim);
  const double inner = as_double(mixer.heads * mixer.value_dim);
  const double q_rank = as_double(mixer.q_lora_rank);
  if (q_rank > 0) {
    add.whole(hidden, q_rank);
    Collector(tensors, Part::kNorm).vector(Division::kReplicated, q_rank);
  }
  add.column(q_rank > 0 ? q_rank : hidden, query + (mixer.output_gate ? inner : 0), mixer.qkv_bias);
  if (!mixer.reused_kv) add.column(hidden, key, mixer.qkv_bias);
  if (!mixer.reused_kv && !mixer.shared_kv) add.column(hidden, value, mixer.qkv_bias);
  if (mixer.output_rank > 0) {
    const double groups = as_double(mixer.output_groups);
    add.column(inner / groups, as_double(mixer.output_rank), false, groups);
    add.row(groups * as_double(mixer.output_rank), hidden, mixer.output_bias);
  } else {
    add.row(inner, hidden, mixer.output_bias);
  }
  if (!mixer.qk_norm) return;
  const double dim = as_double(mixer.head_dim);
  const double norms = mixer.qk_norm_whole ? query + key : dim * (mixer.reused_kv ? 1 : 2);
  Collector(tensors, Part::kNorm).vector(mixer.qk_norm_whole ? Division::kTensor : Division::kReplicated, norms);
}

/// The indexer of DeepSeek sparse attention: queries from the latent, one key for all heads, a weight per head.
void add_indexer(Tensors& tensors, double hidden, const Mixer& mixer) {
  if (mixer.index_heads == 0) return;
  Collector add(tensors, Part::kAttention);
  const double dim = as_double(mixer.index_dim);
  add.whole(as_double(mixer.q_lora_rank), as_double(mixer.index_heads) * dim);
  add.whole(hidden, dim);
  add.whole(hidden, as_double(mixer.index_heads));
  Collector(tensors, Part::kNorm).vector(Division::kReplicated, 2 * dim);
}

/// Multi-head latent attention. Source: DeepSeek-V2 (arXiv 2405.04434), section 2.1.
void add_latent(Tensors& tensors, double hidden, const Mixer& mixer) {
  Collector add(tensors, Part::kAttention);
  Collector norms(tensors, Part::kNorm);
  const double heads = as_double(mixer.heads);
  const double query = heads * as_double(mixer.head_dim);
  const double q_rank = as_double(mixer.q_lora_rank);
  const double kv_rank = as_double(mixer.kv_lora_rank);
  const double nope = as_double(mixer.head_dim - mixer.rope_dim);
  if (mixer.q_lora_rank > 0) {
    add.whole(hidden, q_rank, mixer.qkv_bias);
    norms.vector(Division::kReplicated, q_rank);
    add.column(q_rank, query, false);
  } else {
    add.column(hidden, query, false);
  }
  add.whole(hidden, kv_rank + as_double(mixer.rope_dim), mixer.qkv_bias);
  norms.vector(Division::kReplicated, kv_rank);
  add.column(kv_rank, heads * (nope + as_double(mixer.value_dim)), false);
  add.row(heads * as_double(mixer.value_dim), hidden, mixer.output_bias);
  add_indexer(tensors, hidden, mixer);
}

/// Selective state space. Source: Mamba (arXiv 2312.00752), section 3.
void add_mamba(Tensors& tensors, double hidden, const Mixer& mixer) {
  Collector add(tensors, Part::kStateSpace);
  const double inner = as_double(mixer.inner_dim);
  const double state = as_double(mixer.state_dim);
  const double rank = as_double(mixer.dt_rank);
  add.column(hidden, 2 * inner, mixer.qkv_bias);
  add.vector(Division::kTensor, inner * (as_double(mixer.conv_width) + (mixer.conv_bias ? 1 : 0)));
  add.row(inner, rank + 2 * state, false);
  add.column(rank, inner, true);
  add.vector(Division::kTensor, inner * (state + 1));
  add.row(inner, hidden, mixer.output_bias);
}

/// Second state-space kind. Source: Mamba-2 (arXiv 2405.21060), section 7.
void add_mamba2(Tensors& tensors, double hidden, const Mixer& mixer) {
  Collector add(tensors, Part::kStateSpace);
  const double inner = as_double(mixer.inner_dim);
  const double heads = as_double(mixer.heads);
  const double mixed = inner + 2 * as_double(mixer.groups * mixer.state_dim);
  add.column(hidden, inner + mixed + heads, mixer.qkv_bias);
  add.vector(Division::kTensor, mixed * (as_double(mixer.conv_width) + (mixer.conv_bias ? 1 : 0)));
  add.vector(Division::kTensor, 3 * heads);
  add.vector(Division::kTensor, inner);
  add.row(inner, hidden, mixer.output_bias);
}

void add_linear_attention(Tensors& tensors, double hidden, const Mixer& mixer) {
  Collector add(tensors, Part::kStateSpace);
  const double keys = as_double(mixer.kv_heads * mixer.head_dim);
  const double inner = as_double(mixer.heads * mixer.value_dim);
  add.column(hidden, 2 * keys + inner * (mixer.output_gate ? 2 : 1), mixer.qkv_bias);
  add.vector(Division::kTensor, (2 * keys + inner) * as_double(mixer.conv_width));
  add.row(inner, hidden, mixer.output_bias);
}

void add_mixer(Tensors& tensors, double hidden, const Mixer& mixer) {
  switch (mixer.kind) {
    case MixerKind::kNone: break;
    case MixerKind::kAttention: add_attention(tensors, hidden, mixer); break;
    case MixerKind::kLatent: add_latent(tensors, hidden, mixer); break;
    case MixerKind::kMamba: add_mamba(tensors, hidden, mixer); break;
    case MixerKind::kMamba2: add_mamba2(tensors, hidden, mixer); break;
    case MixerKind::kLinear: add_linear_attention(tensors, hidden, mixer); break;
  }
  Collector(tensors, Part::kAttention).vector(Division::kReplicated, as_double(mixer.extra_parameters));
}

void add_experts(Tensors& tensors, double hidden, const FeedForward& mlp) {
  const double experts = as_double(mlp.experts);
  const double wide = as_double(mlp.expert_hidden);
  const double width = mlp.expert_width > 0 ? as_double(mlp.expert_width) : hidden;
  Collector router(tensors, Part::kRouter);
  const double choices = experts + as_double(mlp.zero_experts);
  router.whole(hidden, choices, mlp.router_bias);
  if (mlp.expert_width > 0) {
    router.whole(hidden, width);
    router.whole(width, hidden);
  }
  Collector add(tensors, Part::kExpert);
  add.expert(width, wide, mlp.bias, experts * (mlp.gated ? 2 : 1));
  add.expert(wide, width, mlp.bias, experts);
  Collector shared(tensors, Part::kSharedExpert);
  const double shared_hidden = as_double(mlp.shared_hidden);
  shared.column(hidden, shared_hidden, mlp.bias, mlp.gated ? 2 : 1);
  shared.row(shared_hidden, hidden, mlp.bias && shared_hidden > 0);
  if (mlp.shared_gate) router.whole(hidden, 1);
}

void add_feed_forward(Tensors& tensors, double hidden, const FeedForward& mlp) {
  Collector add(tensors, Part::kMlp);
  const double wide = as_double(mlp.hidden);
  if (mlp.hidden > 0) {
    add.column(hidden, wide, mlp.bias, mlp.gated ? 2 : 1);
    add.row(wide, hidden, mlp.bias);
  }
  if (mlp.experts > 0) add_experts(tensors, hidden, mlp);
}

}  // namespace

Tensors layer_tensors(const Architecture& model, const LayerKind& kind) {
  Tensors tensors;
  const double hidden = as_double(model.hidden);
  Collector(tensors, Part::kOther).vector(Division::kReplicated, as_double(kind.extra_parameters));
  if (kind.shares_weights) return tensors;
  add_mixer(tensors, hidden, kind.mixer);
  add_feed_forward(tensors, hidden, kind.feed_forward);
  Collector(tensors, Part::kNorm)
      .vector(Division::kReplicated, norm_weights(kind.norm, kind.norm_bias, hidden), kind.norms);
  return tensors;
}

Tensors embedding_tensors(const Architecture& model) {
  Tensors tensors;
  Collector add(tensors, Part::kEmbedding);
  const double hidden = as_double(model.hidden);
  const double width = model.embedding_width > 0 ? as_double(model.embedding_width) : hidden;
  add.vector(Division::kTensor, as_double(model.vocabulary) * width);
  add.vector(Division::kReplicated, as_double(model.positions) * hidden);
  if (model.embedding_width > 0) add.whole(width, hidden);
  if (model.embedding_norm) add.vector(Division::kReplicated, 2 * hidden);
  return tensors;
}

Tensors head_tensors(const Architecture& model) {
  Tensors tensors;
  const double hidden = as_double(model.hidden);
  Collector(tensors, Part::kNorm)
      .vector(Division::kReplicated, norm_weights(model.final_norm, model.final_norm_bias, hidden));
  Collector add(tensors, Part::kHead);
  const double width = model.embedding_width > 0 ? as_double(model.embedding_width) : hidden;
  if (!model.tied_embeddings && !model.headless) add.column(width, as_double(model.vocabulary), model.head_bias);
  if (model.embedding_width > 0) add.whole(hidden, width);
  return tensors;
}

/// Norms of both inputs, their projection, a layer, a norm before the shared head. Source: DeepSeek-V3 (arXiv
/// 2412.19437), section 2.2.
Tensors mtp_tensors(const Architecture& model) {
  if (model.layers.empty()) return {};
  Tensors tensors = layer_tensors(model, model.kinds[static_cast<std::size_t>(model.layers.back())]);
  const double hidden = as_double(model.hidden);
  Collector add(tensors, Part::kMtp);
  add.whole(2 * hidden, hidden);
  add.vector(Division::kReplicated, hidden, 3);
  if (model.mtp_embeddings) add.vector(Division::kTensor, as_double(model.vocabulary) * hidden, 2);
  return tensors;
}

double total_parameters(const Tensors& tensors) {
  double sum = 0;
  for (const Tensor& tensor : tensors) sum += tensor.parameters();
  return sum;
}

}  // namespace headrace::workload
