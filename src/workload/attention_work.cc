// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workload/layer_parts.h"

namespace headrace::workload {
namespace {

double as_double(std::int64_t n) { return static_cast<double>(n); }

struct Heads {
  double query = 0;      ///< on this rank
  double key_value = 0;  ///< on this rank; replicated when tensor parallelism exceeds them
  double head_dim = 0;
  double value_dim = 0;
};

Heads heads_over(int ranks, const Mixer& mixer) {
  const double kv = mixer.kind == MixerKind::kLatent ? as_double(mixer.heads) : as_double(mixer.kv_heads);
  return {as_double(mixer.heads) / ranks, std::max(1.0, kv / ranks), as_double(mixer.head_dim),
          as_double(mixer.value_dim)};
}

Heads heads_of(const Context& context, const Mixer& mixer) { return heads_over(context.sharding.tensor, mixer); }

double window_of(const Mixer& mixer) { return as_double(mixer.window > 0 ? mixer.window : mixer.index_top_k); }

/// Per query-key pair and head, multiply-adds: scores and values forward; scores again, and the gradients of values,
/// probabilities, queries and keys backward. Source: FlashAttention-2 (arXiv 2307.08691), section 3.
double products_per_pair(const Heads& heads, Pass pass, bool recomputes) {
  if (pass == Pass::kForward) return heads.head_dim + heads.value_dim;
  return (recomputes ? 3 : 2) * heads.head_dim + 2 * heads.value_dim;
}

/// Heads, keys and queries as the attention kernel of one rank sees them.
Operator attention_operator(const Context& context, const Mixer& mixer, const Heads& heads) {
  Operator op;
  op.kind = OpKind::kAttention;
  op.name = OpName::kAttention;
  op.dtype = context.activation;
  op.sequences = as_double(context.batch.sequences);
  op.heads = heads.query;
  op.kv_heads = heads.key_value;
  op.kv_length = as_double(context.batch.length);
  op.q_length = op.kv_length / (context.sharding.exchanges_heads ? 1 : context.sharding.context);
  op.head_dim = heads.head_dim;
  op.value_dim = heads.value_dim;
  op.causal = mixer.causal;
  op.window = window_of(mixer);
  return op;
}

/// One fused kernel: scores never reach memory.
void add_flash(Work& work, const Context& context, const Mixer& mixer, const Heads& heads) {
  Operator op = attention_operator(context, mixer, heads);
  // A ring hands out the causal triangle evenly (zigzag), so that each rank sees its share of the pairs.
  const double pairs =
      op.sequences * heads.query * attended_pairs(op.kv_length, mixer.causal, op.window) * op.q_length / op.kv_length;
  op.flops = 2 * pairs * products_per_pair(heads, context.pass, true);
  const double queries = op.sequences * op.q_length * heads.query * (heads.head_dim + heads.value_dim);
  const double keys = op.sequences * op.kv_length * heads.key_value * (heads.head_dim + heads.value_dim);
  // Backward reads queries, keys, values, outputs and their gradient, and writes three gradients.
  op.bytes = context.width() * (queries + keys) * (context.pass == Pass::kForward ? 1 : 2);
  op.launches = context.pass == Pass::kForward ? 1 : 3;
  work.operators.push_back(op);
}

/// Two batched products (four backward) with the scores in memory between them; the causal half is computed and masked.
void add_unfused(Work& work, const Context& context, const Mixer& mixer, const Heads& heads) {
  const Operator shape = attention_operator(context, mixer, heads);
  const double groups = shape.sequences * heads.query;
  const double scores = groups * shape.q_length * shape.kv_length;
  const int repeats = context.pass == Pass::kForward ? 1 : 2;
  for (const double dim : {heads.head_dim, heads.value_dim}) {
    Operator op;
    op.kind = OpKind::kGroupedGemm;
    op.name = OpName::kAttention;
    op.dtype = context.activation;
    op.m = shape.q_length;
    op.n = shape.kv_length;
    op.k = dim;
    op.groups = groups;
    op.flops = 2 * scores * dim;
    op.bytes = context.width() * (scores + groups * (shape.q_length + shape.kv_length) * dim);
    for (int i = 0; i < repeats; ++i) work.operators.push_back(op);
  }
  // Forward: scale and mask (2), softmax (2), dropout (2.5 with its mask); one kernel may do the first two. Backward:
  // the same chain with one more input in the softmax.
  const bool fused = context.fusion.compiled;
  const bool forward = context.pass == Pass::kForward;
  const double chain = (context.fusion.softmax ? 0 : 2) + (forward ? 4.5 : 5.5);
  const double passes = fused ? (forward ? 2 : 3) : chain;
  add_elementwise(work, context, OpName::kSoftmax, scores, passes, fused ? 1 : 3);
}

/// Ring attention: each rank passes its keys and values on to all others; backward their gradients travel too. Source:
/// arXiv 2310.01889.
void add_ring(Work& work, const Context& context, const Heads& heads) {
  const double context_ranks = context.sharding.context;
  const double block = context.tokens() * heads.key_value * (heads.head_dim + heads.value_dim) * context.width();
  add_transfer(work, Collective::kSendReceive, Axis::kContext,
               (context_ranks - 1) * block * (context.pass == Pass::kForward ? 1 : 2));
}

/// All-to-alls of queries, keys, values and outputs, or of their gradients, turn a rank's tokens of all heads into all
/// tokens of its heads, and back. Keys that there are too few of go to several ranks. Source: DeepSpeed-Ulysses, arXiv
/// 2309.14509, section 3.
void add_head_exchange(Work& work, const Context& context, const Heads& heads) {
  const double values = context.tokens() * context.sharding.context * context.width();
  for (const double per_token : {heads.query * heads.head_dim, heads.key_value * heads.head_dim,
                                 heads.key_value * heads.value_dim, heads.query * heads.value_dim})
    add_transfer(work, Collective::kAllToAll, Axis::kContext, values * per_token);
}

void add_scores(Work& work, const Context& context, const Mixer& mixer) {
  const bool exchanges = context.sharding.exchanges_heads && context.sharding.context > 1;
  const Heads heads = heads_over(context.sharding.head_ranks(), mixer);
  if (context.fusion.flash_attention) {
    add_flash(work, context, mixer, heads);
  } else {
    add_unfused(work, context, mixer, heads);
  }
  if (exchanges)
    add_head_exchange(work, context, heads);
  else
    add_ring(work, context, heads);
}

/// Fused: reads and writes each query and key once. Eager: rotate half (4), two products (4), a sum (3) per value.
void add_rotary(Work& work, const Context& context, double tokens, double values) {
  const bool fused = context.fusion.rotary || context.fusion.compiled;
  add_elementwise(work, context, OpName::kRotary, tokens * values, fused ? 2 : 11, fused ? 1 : 5);
}

void add_qk_norm(Work& work, const Context& context, const Mixer& mixer, const Heads& heads) {
  if (!mixer.qk_norm) return;
  add_norm(work, context, NormKind::kRms, context.tokens(), heads.query * heads.head_dim);
  add_norm(work, context, NormKind::kRms, context.tokens(), heads.key_value * heads.head_dim);
}

}  // namespace

void add_attention_work(Work& work, const Context& context, const Mixer& mixer) {
  const Heads heads = heads_of(context, mixer);
  const double tokens = context.tokens();
  const double inner = heads.query * heads.value_dim;
  double projected = heads.query * heads.head_dim + (mixer.output_gate ? inner : 0);
  if (!mixer.reused_kv) projected += heads.key_value * (heads.head_dim + (mixer.shared_kv ? 0 : heads.value_dim));
  const double q_rank = as_double(mixer.q_lora_rank);
  const double query = q_rank > 0 ? heads.query * heads.head_dim : 0;
  add_linear(work, context, OpName::kQkv, context.residual_tokens(), context.hidden(), q_rank);
  add_linear(work, context, OpName::kQkv, tokens, q_rank, query);
  add_linear(work, context, OpName::kQkv, tokens, context.hidden(), projected - query);
  add_qk_norm(work, context, mixer, heads);
  if (mixer.rotary) add_rotary(work, context, tokens, (heads.query + heads.key_value) * heads.head_dim);
  add_scores(work, context, mixer);
  if (mixer.output_gate)
    add_elementwise(work, context, OpName::kActivation, tokens * inner, context.pass == Pass::kForward ? 3 : 5);
  if (mixer.output_rank == 0)
    return add_linear(work, context, OpName::kAttentionOutput, tokens, inner, context.hidden());
  const double groups = as_double(mixer.output_groups) / context.sharding.tensor;
  add_grouped(work, context, OpName::kAttentionOutput, groups, tokens, inner / groups, as_double(mixer.output_rank));
  add_linear(work, context, OpName::kAttentionOutput, tokens, groups * as_double(mixer.output_rank), context.hidden());
}

namespace {

/// Down to the latents, on the tokens that residuals see, for they are whole on each tensor rank.
void add_latent_down(Work& work, const Context& context, const Mixer& mixer) {
  const double tokens = context.residual_tokens();
  const double q_rank = as_double(mixer.q_lora_rank);
  const double kv_rank = as_double(mixer.kv_lora_rank);
  add_linear(work, context, OpName::kQkv, tokens, context.hidden(), q_rank);
  add_linear(work, context, OpName::kQkv, tokens, context.hidden(), kv_rank + as_double(mixer.rope_dim));
  if (q_rank > 0) add_norm(work, context, NormKind::kRms, tokens, q_rank);
  add_norm(work, context, NormKind::kRms, tokens, kv_rank);
}

/// The indexer scores every earlier token with small heads and keeps the best. Source: DeepSeek-V3.2 (its paper),
/// equation 1.
void add_indexer_work(Work& work, const Context& context, const Mixer& mixer) {
  if (mixer.index_heads == 0) return;
  const double heads = as_double(mixer.index_heads);
  const double dim = as_double(mixer.index_dim);
  add_linear(work, context, OpName::kQkv, context.residual_tokens(), as_double(mixer.q_lora_rank), heads * dim);
  add_linear(work, context, OpName::kQkv, context.residual_tokens(), context.hidden(), dim + heads);
  const double length = as_double(context.batch.length);
  const double pairs =
      as_double(context.batch.sequences) * attended_pairs(length, mixer.causal, 0) / context.sharding.context;
  Operator op = attention_operator(context, mixer, {heads, 1, dim, 0});
  op.q_length = length / context.sharding.context;
  op.window = 0;
  op.flops = 2 * pairs * heads * dim * (context.pass == Pass::kForward ? 1 : 2);
  op.bytes = context.width() * (context.tokens() * heads * dim + as_double(context.batch.sequences) * length * dim);
  work.operators.push_back(op);
}

}  // namespace

/// Latent attention as it is trained: latents are projected up to whole queries, keys and values. Source: DeepSeek-V2
/// (arXiv 2405.04434), section 2.1.
void add_latent_work(Work& work, const Context& context, const Mixer& mixer) {
  const Heads heads = heads_of(context, mixer);
  const double tokens = context.tokens();
  const double q_rank = as_double(mixer.q_lora_rank);
  const double kv_rank = as_double(mixer.kv_lora_rank);
  const double query = heads.query * heads.head_dim;
  const double nope = as_double(mixer.head_dim - mixer.rope_dim);
  add_latent_down(work, context, mixer);
  add_indexer_work(work, context, mixer);
  add_tensor_exchange(work, context, true,
                      (q_rank > 0 ? q_rank : context.hidden()) + kv_rank + as_double(mixer.rope_dim));
  add_linear(work, context, OpName::kQkv, tokens, q_rank > 0 ? q_rank : context.hidden(), query);
  add_linear(work, context, OpName::kQkv, tokens, kv_rank, heads.query * (nope + heads.value_dim));
  // Rotary touches rope_dim of each query and of the one shared key, then whole keys are put together from their two
  // parts.
  add_rotary(work, context, tokens, (heads.query + 1) * as_double(mixer.rope_dim));
  add_elementwise(work, context, OpName::kRotary, tokens * query, 2);
  add_scores(work, context, mixer);
  add_linear(work, context, OpName::kAttentionOutput, tokens, heads.query * heads.value_dim, context.hidden());
}

}  // namespace headrace::workload
