// SPDX-License-Identifier: Apache-2.0
#include "workload/activations.h"

#include <algorithm>

namespace headrace::workload {
namespace {

/// Bytes per token of one rank, summed operator by operator.
struct Tally {
  const Retention& how;
  double norms = 0;      ///< of sequence-divided tensors, per residual token
  double attention = 0;  ///< of tensor-divided tensors, per token
  double scores = 0;     ///< scores and probabilities of unfused attention, per token
  double mlp = 0;
  double alternate = 0;  ///< what remains under alternate-matrix recompute
  double gradient = 0;   ///< the largest set of gradients alive at once
  double exchange = 0;

  [[nodiscard]] bool trains_all() const { return how.trained == Trained::kAll; }
  [[nodiscard]] bool adapts_all() const { return how.trained == Trained::kLinearAdapters; }
  /// What a matrix product keeps of an input of `width`; an adapter with dropout keeps a copy and its byte mask.
  [[nodiscard]] double input(double width, bool adapted) const {
    if (trains_all()) return how.linear_element * width;
    const double kept = adapted || how.frozen_keeps_inputs ? how.element : 0;
    return (kept + (adapted && how.adapter_dropout ? how.element + 1 : 0)) * width;
  }
  /// What a norm of `width` keeps beside its output: its input, in fp32 where it is not fused, then also the normalised
  /// values when its weight is trained.
  [[nodiscard]] double norm(double width, NormKind kind) const {
    if (kind == NormKind::kLayer || !how.norms_in_fp32) return how.element * width;
    return (4 + (trains_all() ? how.element : 0)) * width;
  }
};

bool attends(const Mixer& mixer) { return mixer.kind == MixerKind::kAttention || mixer.kind == MixerKind::kLatent; }

double share(std::int64_t whole, int ranks) { return std::max(double(whole) / ranks, whole > 0 ? 1.0 : 0.0); }

/// Key-value heads that attention keeps per token of this rank; all-to-alls over heads may leave it copies.
double kept_heads(std::int64_t kv_heads, const Sharding& sharding) {
  const int tokens = sharding.exchanges_heads ? sharding.context : 1;
  return tokens * share(kv_heads, sharding.head_ranks());
}

/// Query, key, value and output of fused or unfused attention with `heads` and `kv_heads` on this rank. All-to-alls
/// over heads keep the output in both layouts, and hold what they bring beside what they sent.
void tally_core(Tally& tally, const Mixer& mixer, const Sharding& sharding, double heads, double kv_heads,
                double length) {
  const Retention& how = tally.how;
  const double query = heads * double(mixer.head_dim);
  const double output = heads * double(mixer.value_dim);
  const double keys = how.repeats_keys ? heads : kv_heads;
  const double key = keys * double(mixer.head_dim);
  const double value = mixer.shared_kv ? 0 : keys * double(mixer.value_dim);
  tally.attention += how.element * (query + key + value + output);
  if (how.fusion.flash_attention) {
    tally.attention += 4 * heads;  // log-sum-exp
  } else {
    tally.scores += 2.5 * how.element * heads * length;  // softmax, dropout's mask and output: 5 bytes in 16 bit
  }
  const bool exchanges = sharding.exchanges_heads && sharding.context > 1;
  if (how.exchanges_heads || exchanges) tally.attention += how.element * output;
  if (exchanges) tally.exchange = how.element * (query + key + value);
  tally.gradient = how.element * (query + key + value + output) + 4 * query;  // dq accumulates in fp32
  tally.alternate += how.element * output + 4 * heads;
}

/// A query latent, whole on each rank, and what outputs pass through between groups of heads and the hidden state.
void tally_ranks(Tally& tally, const Mixer& mixer, const Sharding& sharding) {
  const double latent = double(mixer.q_lora_rank);
  if (latent > 0)
    tally.norms += tally.norm(latent, NormKind::kRms) + tally.input(latent, tally.how.trained != Trained::kAll);
  const double between = share(mixer.output_groups, sharding.tensor) * double(mixer.output_rank);
  if (mixer.output_rank > 0) tally.attention += tally.input(between, tally.adapts_all());
  tally.alternate += tally.how.element * latent;
}

void tally_attention(Tally& tally, const Architecture& model, const Mixer& mixer, const Sharding& sharding,
                     double length) {
  const Retention& how = tally.how;
  const double heads = share(mixer.heads, sharding.tensor);
  const double kv_heads = share(mixer.kv_heads, sharding.tensor);
  const double query = heads * double(mixer.head_dim);
  const double key = kv_heads * double(mixer.head_dim);
  const bool adapted = how.trained != Trained::kAll;
  tally.norms += tally.input(double(model.hidden), adapted);  // input of the projections
  tally_core(tally, mixer, sharding, heads, kept_heads(mixer.kv_heads, sharding), length);
  tally_ranks(tally, mixer, sharding);
  if (how.shared_projection) tally.attention += how.element * (query + key);
  if (mixer.qk_norm) tally.attention += tally.norm(query + key, NormKind::kRms);
  if (mixer.output_gate) tally.attention += 2 * how.element * heads * double(mixer.value_dim);
  if (!tally.trains_all())
    tally.attention +=
        tally.adapts_all() ? (how.adapter_dropout ? how.element + 1 : 0) * heads * double(mixer.value_dim) : 0;
  tally.alternate += how.element * (query + kv_heads * double(mixer.value_dim));
}

/// Latent attention: both down-projections' outputs and their norms', then full queries, keys and values.
void tally_latent(Tally& tally, const Architecture& model, const Mixer& mixer, const Sharding& sharding,
                  double length) {
  const Retention& how = tally.how;
  const double heads = share(mixer.heads, sharding.tensor);
  const bool adapted = how.trained != Trained::kAll;
  const double latents = double(mixer.q_lora_rank + mixer.kv_lora_rank);
  tally.norms += tally.input(double(model.hidden), adapted);
  tally.norms += tally.norm(latents, NormKind::kRms) + tally.input(latents, adapted);
  tally_core(tally, mixer, sharding, heads, heads, length);
  tally.alternate += how.element * (latents + heads * double(mixer.head_dim));
}

/// State space and linear attention: input projection, convolution and scan keep their inputs; the gate and output
/// theirs.
void tally_state_space(Tally& tally, const Architecture& model, const Mixer& mixer, const Sharding& sharding) {
  const Retention& how = tally.how;
  const double inner = double(std::max(mixer.inner_dim, mixer.heads * mixer.value_dim)) / sharding.tensor;
  const double keys = double(mixer.kv_heads * mixer.head_dim) / sharding.tensor;
  const double states = 2 * double(mixer.groups * mixer.state_dim);
  tally.norms += tally.input(double(model.hidden), how.trained != Trained::kAll);
  tally.attention += how.element * (5 * inner + 4 * keys + 2 * states);
  tally.gradient = how.element * (4 * inner + 2 * keys + states);
  tally.alternate += how.element * (3 * inner + 2 * keys + states);
}

/// An MLP of `hidden` for each token `times`: gate and up, the activation's output, and its product unless one kernel
/// makes it.
void tally_mlp(Tally& tally, const FeedForward& mlp, double hidden, double times) {
  const Retention& how = tally.how;
  const bool fused = how.fusion.activation || how.fusion.compiled;
  double kept = how.element * hidden * (mlp.gated ? 2 : 1);
  if (mlp.gated && !fused) kept += how.element * hidden;
  kept += tally.input(hidden, tally.adapts_all());
  tally.mlp += times * kept;
  tally.gradient = std::max(tally.gradient, times * how.element * hidden * (mlp.gated ? 3 : 2));
  tally.alternate += times * how.element * hidden;
}

void tally_experts(Tally& tally, const Architecture& model, const FeedForward& mlp, const Sharding& sharding) {
  const Retention& how = tally.how;
  const double width = double(mlp.expert_width ? mlp.expert_width : model.hidden);
  const double copies = double(mlp.experts_per_token) / (sharding.sequence_parallel ? sharding.tensor : 1);
  const double hidden = double(mlp.expert_hidden) / sharding.expert_tensor;
  const double spread = copies * sharding.expert_tensor;  // every expert-tensor rank sees the tokens of all of them
  tally.norms += 4.0 * 2 * double(mlp.experts + mlp.zero_experts);  // router logits and probabilities in fp32
  tally.mlp += spread * tally.input(width, tally.adapts_all());     // permuted tokens
  tally_mlp(tally, mlp, hidden, spread);
  if (how.weights_expert_output) tally.mlp += copies * how.element * width;
  tally.exchange = std::max(tally.exchange, 2 * how.element * (copies + spread) / 2 * width);
  tally.alternate += copies * how.element * width;
}

void tally_feed_forward(Tally& tally, const Architecture& model, const FeedForward& mlp, const Sharding& sharding) {
  if (mlp.hidden == 0 && mlp.experts == 0) return;
  tally.norms += tally.input(double(model.hidden), tally.adapts_all());  // normalised input
  const double gradient = tally.gradient;
  if (const double dense = double(mlp.hidden + mlp.shared_hidden) / sharding.tensor; dense > 0)
    tally_mlp(tally, mlp, dense, 1);
  if (mlp.experts > 0) tally_experts(tally, model, mlp, sharding);
  tally.gradient = std::max(gradient, tally.gradient);
}

}  // namespace

double rank_tokens(const Batch& batch, const Sharding& sharding) {
  return double(batch.sequences) * double(batch.length) / sharding.context;
}

LayerActivations layer_activations(const Architecture& model, const LayerKind& kind, const Batch& batch,
                                   const Sharding& sharding, const Retention& retention) {
  Tally tally{retention};
  const double hidden = double(model.hidden);
  const int residual = sharding.sequence_parallel ? sharding.tensor : 1;
  tally.norms += std::max(kind.norms, 1) * tally.norm(hidden, kind.norm);
  if (kind.mixer.kind == MixerKind::kAttention)
    tally_attention(tally, model, kind.mixer, sharding, double(batch.length));
  if (kind.mixer.kind == MixerKind::kLatent) tally_latent(tally, model, kind.mixer, sharding, double(batch.length));
  if (kind.mixer.kind != MixerKind::kNone && !attends(kind.mixer))
    tally_state_space(tally, model, kind.mixer, sharding);
  tally_feed_forward(tally, model, kind.feed_forward, sharding);

  const double tokens = rank_tokens(batch, sharding);
  LayerActivations bytes;
  const double kept = tally.norms / residual + tally.attention + tally.mlp;
  bytes.full = tokens * retention.element * hidden / residual;
  bytes.none = std::max(tokens * (kept + tally.scores), bytes.full);
  // A compiler drops the last product of a layer, which no backward pass reads.
  const double ends = (retention.fusion.compiled ? 1 : 2) * retention.element * hidden / residual;
  bytes.selective = tokens * (retention.selective == Selective::kCoreAttention ? kept : ends + tally.alternate);
  bytes.selective = std::clamp(bytes.selective, bytes.full, bytes.none);
  bytes.working = tokens * (tally.gradient + 2 * retention.element * hidden);
  bytes.exchange = tokens * (tally.exchange + (residual > 1 ? retention.element * hidden : 0));
  return bytes;
}

double adapter_parameters(const Architecture& model, const LayerKind& kind, Trained trained, double rank) {
  if (trained == Trained::kAll) return 0;
  const Mixer& mixer = kind.mixer;
  const FeedForward& mlp = kind.feed_forward;
  const double hidden = double(model.hidden);
  const double query = double(mixer.heads * mixer.head_dim);
  const double output = double(mixer.heads * mixer.value_dim);
  const double key = double(mixer.kv_heads * mixer.head_dim);
  const double value = double(mixer.kv_heads * mixer.value_dim);
  double widths = 0;  // inputs plus outputs of the adapted matrices
  if (attends(mixer)) widths += (hidden + query) + (hidden + value);
  if (trained == Trained::kLinearAdapters) {
    const double between = double(mixer.output_groups * mixer.output_rank);
    if (attends(mixer)) widths += (hidden + key) + (output + hidden) + 2 * between;
    const double matrices = mlp.gated ? 3 : 2;
    if (mlp.hidden > 0) widths += matrices * (hidden + double(mlp.hidden));
    if (mlp.shared_hidden > 0) widths += matrices * (hidden + double(mlp.shared_hidden));
    widths += matrices * double(mlp.experts) * (hidden + double(mlp.expert_hidden));
  }
  return rank * widths;
}

}  // namespace headrace::workload
