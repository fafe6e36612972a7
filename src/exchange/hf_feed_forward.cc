// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "exchange/hf_layers.h"

namespace headrace::exchange {
namespace {

using workload::FeedForward;

/// A number or, when it differs by layer, the first of a list.
std::int64_t first_count(HfFields& fields, HfFields::Names names, std::int64_t otherwise) {
  const base::Value* value = fields.find(names);
  if (value == nullptr || !value->is_list()) return fields.count(names, otherwise);
  for (const std::string_view name : names) {
    const auto listed = fields.counts(name);
    if (!listed.empty()) return listed.front();
  }
  return otherwise;
}

bool reads_gated(HfReading& reading) {
  const std::string act = reading.fields.text({"mlp_hidden_act"});
  if (!act.empty()) return act != "relu2";
  return reading.family.gated;
}

bool reads_mlp_bias(HfReading& reading) {
  HfFields& fields = reading.fields;
  if (reading.family.reach == HfBiasReach::kEverything)
    return fields.flag({"mlp_bias", "bias", "use_bias", "enable_bias"}, reading.family.biases.mlp);
  return fields.flag({"mlp_bias", "add_bias_linear"}, reading.family.biases.mlp);
}

std::int64_t dense_width(HfReading& reading) {
  HfFields& fields = reading.fields;
  const std::int64_t hidden = reading.model.hidden;
  if (const auto ratio = fields.number({"expansion_ratio"}, 0); ratio > 0 && ratio < 1000)
    return static_cast<std::int64_t>(ratio * static_cast<double>(hidden));
  const std::int64_t ratio = reading.family.inner_ratio * hidden;
  const std::int64_t of_class = ratio > 0 ? ratio : reading.family.sizes.inner;
  const auto names = {"dense_intermediate_size",
                      "intermediate_size_mlp",
                      "intermediate_size",
                      "ffn_hidden_size",
                      "n_inner",
                      "ffn_dim",
                      "ff_intermediate_size",
                      "inner_hidden_size",
                      "feed_forward_hidden_size",
                      "d_ff"};
  for (const char* name : names) {
    if (fields.find({name}) != nullptr) return first_count(fields, {name}, of_class);
  }
  if (of_class == 0) fields.miss("intermediate_size");
  return of_class;
}

/// The total width of the shared experts.
std::int64_t shared_width(HfReading& reading, std::int64_t expert_hidden) {
  HfFields& fields = reading.fields;
  const std::int64_t stated =
      fields.count({"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size", "share_expert_dim",
                    "shared_intermediate_size", "shared_expert_hidden_size"},
                   0);
  if (stated > 0) return stated;
  const auto names = {"n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert"};
  for (const char* name : names) {
    if (fields.find({name}) == nullptr) continue;
    return first_count(fields, {name}, 0) * expert_hidden;
  }
  return 0;
}

bool reads_router_bias(HfReading& reading) {
  HfFields& fields = reading.fields;
  if (const std::string method = fields.text({"topk_method"}); !method.empty()) return method == "noaux_tc";
  return fields.flag({"use_routing_bias", "use_moe_router_bias", "moe_router_enable_expert_bias", "use_expert_bias",
                      "moe_use_aux_free"},
                     reading.family.router_bias);
}

}  // namespace

FeedForward read_dense(HfReading& reading) {
  FeedForward mlp;
  mlp.hidden = dense_width(reading);
  mlp.gated = reads_gated(reading);
  mlp.bias = reads_mlp_bias(reading);
  return mlp;
}

FeedForward read_experts(HfReading& reading) {
  HfFields& fields = reading.fields;
  FeedForward mlp;
  mlp.gated = reads_gated(reading);
  mlp.bias = reading.family.expert_bias || reads_mlp_bias(reading);
  mlp.experts = first_count(fields,
                            {"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts",
                             "num_routed_experts", "ffn_config.moe_num_experts", "moe_num_primary_experts"},
                            0);
  if (mlp.experts == 0) return mlp;
  mlp.experts_per_token = first_count(
      fields,
      {"num_experts_per_tok", "num_experts_per_token", "moe_topk", "moe_k", "moe_top_k", "top_k_experts",
       "num_selected_experts", "experts_per_token", "num_experts_per_topk", "ffn_config.moe_top_k", "top_k"},
      0);
  if (mlp.experts_per_token == 0) fields.miss("num_experts_per_tok");
  mlp.experts_per_token = std::min(mlp.experts_per_token, mlp.experts);
  mlp.expert_hidden =
      first_count(fields,
                  {"moe_intermediate_size", "expert_ffn_hidden_size", "moe_ffn_hidden_size", "expert_hidden_size",
                   "ffn_config.ffn_hidden_size", "intermediate_size", "ffn_hidden_size"},
                  reading.family.sizes.inner);
  if (mlp.expert_hidden == 0) fields.miss("moe_intermediate_size");
  mlp.expert_width = fields.count({"moe_latent_size", "routed_expert_hidden_size"}, 0);
  mlp.zero_experts = fields.count({"zero_expert_num"}, 0);
  mlp.shared_hidden = shared_width(reading, mlp.expert_hidden);
  mlp.shared_gate = reading.family.shared_gate && mlp.shared_hidden > 0;
  mlp.router_bias = reads_router_bias(reading);
  return mlp;
}

namespace {

/// A list of layer numbers as a JSON list or as text with commas.
std::vector<std::int64_t> layer_numbers(HfFields& fields, const char* name) {
  const base::Value* value = fields.find({name});
  if (value == nullptr) return {};
  if (value->is_list()) return fields.counts(name);
  std::vector<std::int64_t> all;
  std::int64_t number = -1;
  for (const char c : value->raw() + ",") {
    if (c >= '0' && c <= '9' && number < 100'000) {
      number = (number < 0 ? 0 : number) * 10 + (c - '0');
    } else if (number >= 0) {
      all.push_back(number);
      number = -1;
    }
  }
  return all;
}

struct Spacing {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t period = 1;
  std::int64_t phase = 0;  ///< layer i has experts when i mod period is this
};

Spacing read_spacing(HfReading& reading) {
  HfFields& fields = reading.fields;
  Spacing spacing{
      .first = first_count(fields, {"first_k_dense_replace", "moe_layer_start_index", "num_dense_layers"}, 0),
      .last = reading.layers - 1};
  spacing.last = std::min(spacing.last, first_count(fields, {"moe_layer_end_index"}, spacing.last));
  const base::Value* frequency = fields.find({"moe_layer_freq"});
  if (frequency != nullptr && !frequency->is_list()) spacing.period = fields.count({"moe_layer_freq"}, 1);
  for (const char* name : {"decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_interval"}) {
    if (fields.find({name}) == nullptr) continue;
    spacing.period = fields.count({name}, 1);
    spacing.phase = spacing.period - 1;
  }
  if (fields.find({"expert_layer_period"}) != nullptr || reading.model.model_type == "jamba") {
    spacing.period = fields.count({"expert_layer_period"}, 2);
    spacing.phase = fields.count({"expert_layer_offset"}, 1);
  }
  return spacing;
}

}  // namespace

std::vector<bool> read_expert_layers(HfReading& reading) {
  const auto layers = static_cast<std::size_t>(reading.layers);
  std::vector<bool> expert(layers, false);
  HfFields& fields = reading.fields;
  for (const char* name : {"moe_layers", "moe_layers_enum"}) {
    const auto numbers = layer_numbers(fields, name);
    for (const std::int64_t number : numbers) {
      if (number < reading.layers) expert[static_cast<std::size_t>(number)] = true;
    }
    if (!numbers.empty()) return expert;
  }
  if (const auto list = fields.counts("moe_layer_freq"); list.size() == layers) {
    for (std::size_t i = 0; i < layers; ++i) expert[i] = list[i] != 0;
    return expert;
  }
  if (const auto types = fields.texts("mlp_layer_types"); types.size() == layers) {
    for (std::size_t i = 0; i < layers; ++i) expert[i] = types[i] != "dense";
    return expert;
  }
  const Spacing spacing = read_spacing(reading);
  if (spacing.period == 0) return expert;
  for (std::int64_t i = spacing.first; i <= spacing.last; ++i)
    expert[static_cast<std::size_t>(i)] = i % spacing.period == spacing.phase;
  for (const std::int64_t number : fields.counts("mlp_only_layers")) {
    if (number < reading.layers) expert[static_cast<std::size_t>(number)] = false;
  }
  return expert;
}

}  // namespace headrace::exchange
