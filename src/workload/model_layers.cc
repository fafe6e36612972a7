// SPDX-License-Identifier: Apache-2.0
#include "workload/model_layers.h"

#include <algorithm>

namespace headrace::workload {
namespace {

using base::Fields;
using base::Value;

constexpr base::Range<std::int64_t> kWidth{0, 10'000'000};
constexpr base::Range<std::int64_t> kCount{0, 100'000};

base::Result<Mixer> read_attention(Fields& fields, const Architecture& model) {
  Mixer mixer;
  TRY(mixer.heads, fields.integer_or("heads", 0, kCount));
  TRY(mixer.kv_heads, fields.integer_or("kv_heads", mixer.heads, kCount));
  TRY(mixer.head_dim, fields.integer_or("head_dim", mixer.heads > 0 ? model.hidden / mixer.heads : 0, kWidth));
  mixer.value_dim = mixer.head_dim;
  TRY(mixer.qkv_bias, fields.boolean_or("qkv_bias", false));
  TRY(mixer.output_bias, fields.boolean_or("output_bias", false));
  TRY(mixer.rotary, fields.boolean_or("rotary", true));
  TRY(mixer.output_gate, fields.boolean_or("output_gate", false));
  TRY(mixer.extra_parameters, fields.integer_or("attention_extra", 0, {0, 1'000'000'000}));
  TRY(const std::string norm, fields.text_or("qk_norm", "none"));
  mixer.qk_norm = norm != "none";
  mixer.qk_norm_whole = norm == "whole";
  if (norm != "none" && norm != "head" && norm != "whole")
    return base::input_error(fields.place(), "model.unknown_qk_norm", {norm});
  return mixer;
}

base::Result<Mixer> read_latent(const Value& value, const Mixer& attention) {
  Fields fields(value);
  Mixer mixer = attention;
  mixer.kind = MixerKind::kLatent;
  mixer.kv_heads = mixer.heads;
  TRY(mixer.q_lora_rank, fields.integer_or("q_rank", 0, kWidth));
  TRY(mixer.kv_lora_rank, fields.integer("kv_rank", {1, 1'000'000}));
  TRY(mixer.rope_dim, fields.integer_or("rope", 64, kWidth));
  TRY(const std::int64_t nope, fields.integer_or("nope", 128, kWidth));
  mixer.head_dim = nope + mixer.rope_dim;
  TRY(mixer.value_dim, fields.integer_or("value", 128, kWidth));
  TRY(mixer.index_heads, fields.integer_or("index_heads", 0, kCount));
  TRY(mixer.index_dim, fields.integer_or("index_dim", 0, kWidth));
  TRY(mixer.index_top_k, fields.integer_or("index_top_k", 0, kWidth));
  CHECK_OK(fields.finish());
  return mixer;
}

base::Result<Mixer> read_state_space(const Value& value, MixerKind kind) {
  Fields fields(value);
  Mixer mixer;
  mixer.kind = kind;
  mixer.rotary = false;
  TRY(mixer.heads, fields.integer_or("heads", 0, kCount));
  TRY(mixer.kv_heads, fields.integer_or("kv_heads", mixer.heads, kCount));
  TRY(mixer.head_dim, fields.integer_or("head_dim", 0, kWidth));
  TRY(mixer.value_dim, fields.integer_or("value_dim", mixer.head_dim, kWidth));
  TRY(mixer.inner_dim, fields.integer_or("inner", mixer.heads * mixer.value_dim, kWidth));
  TRY(mixer.state_dim, fields.integer_or("state", mixer.head_dim, kWidth));
  TRY(mixer.groups, fields.integer_or("groups", 1, kCount));
  TRY(mixer.conv_width, fields.integer_or("conv", 4, kCount));
  TRY(mixer.conv_bias, fields.boolean_or("conv_bias", kind != MixerKind::kLinear));
  TRY(mixer.dt_rank, fields.integer_or("dt_rank", 0, kWidth));
  TRY(mixer.output_gate, fields.boolean_or("output_gate", kind == MixerKind::kLinear));
  TRY(mixer.extra_parameters, fields.integer_or("extra", 0, {0, 1'000'000'000}));
  CHECK_OK(fields.finish());
  return mixer;
}

struct ExpertPlan {
  FeedForward mlp;
  std::int64_t dense_first = 0;  ///< leading layers without experts
  std::int64_t every = 1;        ///< then every so many layers, the last of each group, has them
  bool beside_dense = false;     ///< the dense MLP runs beside the experts
};

base::Result<ExpertPlan> read_experts(const Value& value, const FeedForward& dense) {
  Fields fields(value);
  ExpertPlan plan;
  plan.mlp = dense;
  TRY(plan.mlp.experts, fields.integer("count", {1, 100'000}));
  TRY(plan.mlp.experts_per_token, fields.integer("per_token", {1, plan.mlp.experts}));
  TRY(plan.mlp.expert_hidden, fields.integer("width", {1, 10'000'000}));
  TRY(plan.mlp.shared_hidden, fields.integer_or("shared", 0, kWidth));
  TRY(plan.mlp.shared_gate, fields.boolean_or("shared_gate", false));
  TRY(plan.mlp.router_bias, fields.boolean_or("router_bias", false));
  TRY(plan.mlp.expert_width, fields.integer_or("latent", 0, kWidth));
  TRY(plan.mlp.zero_experts, fields.integer_or("zero", 0, kCount));
  TRY(plan.dense_first, fields.integer_or("dense_first", 0, kCount));
  TRY(plan.every, fields.integer_or("every", 1, {1, 1000}));
  TRY(plan.beside_dense, fields.boolean_or("beside_dense", false));
  if (!plan.beside_dense) plan.mlp.hidden = 0;
  CHECK_OK(fields.finish());
  return plan;
}

base::Result<FeedForward> read_dense(Fields& fields) {
  FeedForward mlp;
  TRY(mlp.hidden, fields.integer_or("mlp", 0, kWidth));
  TRY(mlp.gated, fields.boolean_or("gated", true));
  TRY(mlp.bias, fields.boolean_or("mlp_bias", false));
  return mlp;
}

/// The pieces that layers are put together from.
struct Pieces {
  LayerKind bare;
  Mixer attention;
  Mixer recurrent;  ///< of kind none when the model has only attention
  FeedForward dense;
  ExpertPlan experts;
  std::int64_t window = 0;
  std::int64_t full_every = 0;       ///< every so many layers sees all where the others have a window
  std::int64_t attention_every = 0;  ///< every so many layers is attention where the others recur
};

base::Result<Pieces> read_pieces(Fields& fields, const Architecture& model) {
  Pieces pieces;
  LayerKind& bare = pieces.bare;
  bare.norm = model.final_norm;
  bare.norm_bias = model.final_norm_bias;
  TRY(const std::int64_t norms, fields.integer_or("norms", 2, {0, 8}));
  bare.norms = static_cast<int>(norms);
  TRY(bare.parallel_residual, fields.boolean_or("parallel", false));
  bare.mixer.kind = MixerKind::kNone;
  TRY(pieces.attention, read_attention(fields, model));
  if (const Value* latent = fields.optional("latent")) {
    TRY(pieces.attention, read_latent(*latent, pieces.attention));
  }
  pieces.recurrent.kind = MixerKind::kNone;
  for (const auto& [key, kind] :
       {std::pair{"mamba", MixerKind::kMamba}, {"mamba2", MixerKind::kMamba2}, {"linear", MixerKind::kLinear}}) {
    const Value* value = fields.optional(key);
    if (value == nullptr) continue;
    TRY(pieces.recurrent, read_state_space(*value, kind));
  }
  TRY(pieces.dense, read_dense(fields));
  if (const Value* experts = fields.optional("experts")) {
    TRY(pieces.experts, read_experts(*experts, pieces.dense));
  }
  TRY(pieces.window, fields.integer_or("window", 0, kWidth));
  TRY(pieces.full_every, fields.integer_or("full_every", 0, kCount));
  TRY(pieces.attention_every, fields.integer_or("attention_every", 0, kCount));
  return pieces;
}

LayerKind plain_layer(const Pieces& pieces, std::int64_t index) {
  LayerKind layer = pieces.bare;
  const bool recurs = pieces.recurrent.kind != MixerKind::kNone;
  const bool attends = !recurs || (pieces.attention_every > 0 && (index + 1) % pieces.attention_every == 0);
  layer.mixer = attends ? pieces.attention : pieces.recurrent;
  if (attends && (pieces.full_every == 0 || (index + 1) % pieces.full_every != 0)) layer.mixer.window = pieces.window;
  const ExpertPlan& plan = pieces.experts;
  const bool routed = plan.mlp.experts > 0 && index >= plan.dense_first && (index + 1) % plan.every == 0;
  layer.feed_forward = routed ? plan.mlp : pieces.dense;
  return layer;
}

/// One block per letter: M recurs, * attends, - is dense, E routes.
base::Result<std::vector<LayerKind>> lettered_layers(const Pieces& pieces, const std::string& pattern,
                                                     const base::Place& place) {
  std::vector<LayerKind> layers;
  for (const char letter : pattern) {
    LayerKind layer = pieces.bare;
    switch (letter) {
      case 'M': layer.mixer = pieces.recurrent; break;
      case '*': layer.mixer = pieces.attention; break;
      case '-': layer.feed_forward = pieces.dense; break;
      case 'E': layer.feed_forward = pieces.experts.mlp; break;
      default: return base::input_error(place, "model.unknown_letter", {std::string(1, letter)});
    }
    layers.push_back(layer);
  }
  return layers;
}

}  // namespace

base::Result<std::vector<LayerKind>> read_model_layers(Fields& fields, const Architecture& model) {
  TRY(const Pieces pieces, read_pieces(fields, model));
  TRY(const std::string pattern, fields.text_or("pattern", ""));
  if (!pattern.empty()) return lettered_layers(pieces, pattern, fields.place());
  TRY(const std::int64_t count, fields.integer("layers", {1, 10'000}));
  if (pieces.recurrent.kind == MixerKind::kNone && pieces.attention.heads == 0)
    return base::input_error(fields.place(), "model.no_heads");
  std::vector<LayerKind> layers;
  for (std::int64_t i = 0; i < count; ++i) layers.push_back(plain_layer(pieces, i));
  return layers;
}

}  // namespace headrace::workload
