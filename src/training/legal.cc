// SPDX-License-Identifier: Apache-2.0
#include "training/legal.h"

#include <algorithm>
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

/// What the orders of schedules ask for. Source: arXiv 2405.15362 (two chunks), DualPipe (facts).
std::optional<base::Message> bad_schedule(const Strategy& s, std::int64_t micro_batches) {
  using scenario::Schedule;
  const bool v_shape = s.schedule == Schedule::kZbv;
  if (v_shape && s.virtual_pipeline != 2) return because("strategy.zbv_chunks", s.virtual_pipeline, 2);
  const bool one_chunk = s.schedule == Schedule::kGpipe || s.schedule == Schedule::kZeroBubbleH1 ||
                         s.schedule == Schedule::kZeroBubbleH2 || s.schedule == Schedule::kDualPipe;
  if (one_chunk && s.virtual_pipeline > 1) return because("strategy.one_chunk", s.virtual_pipeline, 1);
  if (s.schedule != Schedule::kDualPipe) return std::nullopt;
  if (s.pipeline % 2 != 0) return because("strategy.dualpipe_ranks", s.pipeline, 2);
  if (micro_batches % 2 != 0 || micro_batches < 2 * s.pipeline)
    return because("strategy.dualpipe_rounds", micro_batches, 2 * s.pipeline);
  return std::nullopt;
}

std::optional<base::Message> bad_batch(const Strategy& s) {
  const std::int64_t per_round = std::int64_t{s.data} * s.micro_batch;
  if (s.global_batch % per_round != 0) return because("strategy.batch_rounds", s.global_batch, per_round);
  const std::int64_t micro_batches = s.global_batch / per_round;
  if (s.virtual_pipeline > 1 && s.pipeline < 2)
    return because("strategy.interleaving_one_stage", s.virtual_pipeline, s.pipeline);
  const bool interleaves = s.virtual_pipeline > 1 && s.schedule != scenario::Schedule::kZbv;
  if (interleaves && micro_batches % s.pipeline != 0)
    return because("strategy.interleaving_rounds", micro_batches, s.pipeline);
  return bad_schedule(s, micro_batches);
}

/// Attention's heads over the ranks that all-to-alls leave them on; keys and values may be repeated.
std::optional<base::Message> bad_heads(const workload::Mixer& mixer, const Strategy& s) {
  const std::int64_t ranks = std::int64_t{s.tensor} * s.context;
  if (mixer.kind != workload::MixerKind::kAttention && mixer.kind != workload::MixerKind::kLatent) return std::nullopt;
  if (mixer.heads % ranks != 0) return because("strategy.heads", mixer.heads, ranks);
  if (mixer.kv_heads > 0 && mixer.kv_heads % ranks != 0 && ranks % mixer.kv_heads != 0)
    return because("strategy.kv_heads", mixer.kv_heads, ranks);
  return std::nullopt;
}

std::optional<base::Message> bad_layer(const workload::LayerKind& kind, const Strategy& s) {
  const auto& mixer = kind.mixer;
  if (scenario::exchanges_heads(s))
    if (auto reason = bad_heads(mixer, s)) return reason;
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
  for (const auto& kind : job.model.kinds)
    if (auto reason = bad_layer(kind, s)) return reason;
  if (s.expert > 1 && !workload::has_experts(job.model)) return because("strategy.no_experts", s.expert, 1);
  const auto layers = static_cast<std::int64_t>(job.model.layers.size());
  const std::int64_t chunks = std::int64_t{s.pipeline} * s.virtual_pipeline;
  if (chunks > layers) return because("strategy.layers", layers, chunks);
  // A ring deals each rank two parts of a causal sequence.
  if (s.context > 1 && job.sequence % ((scenario::exchanges_heads(s) ? 1 : 2) * s.context) != 0)
    return because("strategy.sequence", job.sequence, s.context);
  if (s.sequence_parallel && s.tensor > 1 && (job.sequence / s.context) % s.tensor != 0)
    return because("strategy.sequence", job.sequence, std::int64_t{s.tensor} * s.context);
  return std::nullopt;
}

struct Kind {
  const char* name;
  catalog::WithPipeline reach;
};

Kind kind_of(const catalog::Abilities& can, const Strategy& s) {
  switch (s.data_parallel) {
    case scenario::DataParallel::kDdp: return {"ddp", can.ddp};
    case scenario::DataParallel::kZero1: return {"zero1", can.zero1};
    case scenario::DataParallel::kZero2: return {"zero2", can.zero2};
    case scenario::DataParallel::kZero3: break;
  }
  const bool groups = s.shard_group > 0 && s.shard_group < s.data * s.context;
  return groups ? Kind{"fsdp + shard_group", can.shard_groups} : Kind{"fsdp", can.zero3};
}

/// The schedule where the software does not have it.
const char* lacking_schedule(const catalog::Abilities& can, scenario::Schedule schedule) {
  using scenario::Schedule;
  switch (schedule) {
    case Schedule::kZeroBubbleH1: return can.zero_bubble_h1 ? nullptr : "zero_bubble_h1";
    case Schedule::kZeroBubbleH2: return can.zero_bubble_h2 ? nullptr : "zero_bubble_h2";
    case Schedule::kZbv: return can.zbv ? nullptr : "zbv";
    case Schedule::kDualPipe: return can.dualpipe ? nullptr : "dualpipe";
    case Schedule::kGpipe:
    case Schedule::k1f1b:
    case Schedule::kInterleaved: break;
  }
  return nullptr;
}

}  // namespace

std::optional<base::Message> unsupported(const catalog::Software& software, const Strategy& s) {
  using catalog::WithPipeline;
  const catalog::Abilities& can = software.abilities;
  const auto no = [&](const char* what) { return base::Message{"strategy.software_lacks", {software.id, what}}; };
  if (s.tensor > 1 && !can.tensor) return no("tensor");
  if (scenario::exchanges_heads(s) && !can.context_all_to_all) return no("context_kind all_to_all");
  if (s.context > 1 && !scenario::exchanges_heads(s) && !can.context)
    return no(can.context_all_to_all ? "context_kind ring" : "context");
  if (s.expert > 1 && !can.expert) return no("expert");
  if (s.offload_optimizer && !can.offload) return no("offload_optimizer");
  const WithPipeline best = std::max({can.ddp, can.zero1, can.zero2, can.zero3});
  if (s.pipeline > 1 && best < WithPipeline::kSimple) return no("pipeline");
  if (s.virtual_pipeline > 1 && best < WithPipeline::kInterleaved) return no("virtual_pipeline");
  if (const char* schedule = lacking_schedule(can, s.schedule)) return no(schedule);
  if (s.data * s.context == 1) return std::nullopt;  // nothing is divided: all kinds are the same
  const Kind kind = kind_of(can, s);
  if (kind.reach == WithPipeline::kUnsupported) return no(kind.name);
  if (s.pipeline > 1 && kind.reach == WithPipeline::kAlone)
    return base::Message{"strategy.software_no_pipeline", {software.id, kind.name}};
  if (s.virtual_pipeline > 1 && kind.reach == WithPipeline::kSimple)
    return base::Message{"strategy.software_no_interleaving", {software.id, kind.name}};
  return std::nullopt;
}

std::optional<base::Message> unsupported(const catalog::Software& software, const Job& job, const Strategy& s) {
  if (auto reason = unsupported(software, s)) return reason;
  if (!scenario::exchanges_heads(s) || !software.facts.contains("exchanges_whole_kv_heads")) return std::nullopt;
  for (const auto& kind : job.model.kinds) {
    const std::int64_t heads = kind.mixer.kind == workload::MixerKind::kAttention ? kind.mixer.kv_heads : 0;
    const std::int64_t ranks = std::int64_t{s.tensor} * s.context;
    if (heads % ranks != 0)
      return base::Message{"strategy.software_repeats_no_keys",
                           {software.id, std::to_string(heads), std::to_string(ranks)}};
  }
  return std::nullopt;
}

std::optional<base::Message> illegal(const Job& job, const Strategy& strategy, int accelerators) {
  if (auto reason = bad_degrees(strategy, accelerators)) return reason;
  if (auto reason = bad_batch(strategy)) return reason;
  return bad_model(job, strategy);
}

}  // namespace headrace::training
