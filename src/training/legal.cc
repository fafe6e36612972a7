// SPDX-License-Identifier: Apache-2.0
#include "training/legal.h"

#include <string>

namespace headrace::training {

namespace {

using scenario::Strategy;

base::Message because(const char* id, std::int64_t a, std::int64_t b) {
  return {id, {std::to_string(a), std::to_string(b)}};
}

std::optional<base::Message> bad_degrees(const Strategy& s, int accelerators) {
  if (s.tensor < 1 || s.pipeline < 1 || s.virtual_pipeline < 1 || s.context < 1 || s.data < 1 || s.expert < 1 ||
      s.expert_tensor < 1 || s.micro_batch < 1 || s.global_batch < 1)
    return base::Message{"strategy.degree_below_one", {}};
  const std::int64_t product = std::int64_t{s.tensor} * s.pipeline * s.context * s.data;
  if (product != accelerators) return because("strategy.degrees_and_accelerators", product, accelerators);
  const std::int64_t replicas = std::int64_t{s.tensor} * s.context * s.data;
  const std::int64_t experts = std::int64_t{s.expert} * s.expert_tensor;
  if (s.expert > 1 && replicas % experts != 0) return because("strategy.expert_degrees", experts, replicas);
  if (s.shard_group > 0 && (std::int64_t{s.data} * s.context) % s.shard_group != 0)
    return because("strategy.shard_group", s.shard_group, std::int64_t{s.data} * s.context);
  return std::nullopt;
}

std::optional<base::Message> bad_batch(const Strategy& s) {
  const std::int64_t per_round = std::int64_t{s.data} * s.micro_batch;
  if (s.global_batch % per_round != 0) return because("strategy.batch_rounds", s.global_batch, per_round);
  const std::int64_t micro_batches = s.global_batch / per_round;
  if (s.virtual_pipeline > 1 && s.pipeline < 2)
    return because("strategy.interleaving_one_stage", s.virtual_pipeline, s.pipeline);
  if (s.virtual_pipeline > 1 && micro_batches % s.pipeline != 0)
    return because("strategy.interleaving_rounds", micro_batches, s.pipeline);
  return std::nullopt;
}

std::optional<base::Message> bad_layer(const workload::LayerKind& kind, const Strategy& s) {
  const auto& mixer = kind.mixer;
  if (mixer.heads > 0 && mixer.heads % s.tensor != 0) return because("strategy.heads", mixer.heads, s.tensor);
  if (mixer.kv_heads > 0 && mixer.kv_heads % s.tensor != 0 && s.tensor % mixer.kv_heads != 0)
    return because("strategy.kv_heads", mixer.kv_heads, s.tensor);
  const auto& mlp = kind.feed_forward;
  if (mlp.hidden % s.tensor != 0) return because("strategy.ffn", mlp.hidden, s.tensor);
  if (mlp.experts > 0 && mlp.experts % s.expert != 0) return because("strategy.experts", mlp.experts, s.expert);
  if (mlp.experts > 0 && mlp.expert_hidden % s.expert_tensor != 0)
    return because("strategy.ffn", mlp.expert_hidden, s.expert_tensor);
  return std::nullopt;
}

std::optional<base::Message> bad_model(const Job& job, const Strategy& s) {
  bool has_experts = false;
  for (const auto& kind : job.model.kinds) {
    if (auto reason = bad_layer(kind, s)) return reason;
    has_experts = has_experts || kind.feed_forward.experts > 0;
  }
  if (s.expert > 1 && !has_experts) return because("strategy.no_experts", s.expert, 1);
  const auto layers = static_cast<std::int64_t>(job.model.layers.size());
  const std::int64_t chunks = std::int64_t{s.pipeline} * s.virtual_pipeline;
  if (chunks > layers) return because("strategy.layers", layers, chunks);
  if (s.context > 1 && job.sequence % (2 * s.context) != 0)
    return because("strategy.sequence", job.sequence, s.context);
  if (s.sequence_parallel && s.tensor > 1 && (job.sequence / s.context) % s.tensor != 0)
    return because("strategy.sequence", job.sequence, std::int64_t{s.tensor} * s.context);
  return std::nullopt;
}

}  // namespace

std::optional<base::Message> illegal(const Job& job, const Strategy& strategy, int accelerators) {
  if (auto reason = bad_degrees(strategy, accelerators)) return reason;
  if (auto reason = bad_batch(strategy)) return reason;
  return bad_model(job, strategy);
}

}  // namespace headrace::training
