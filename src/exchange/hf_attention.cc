// SPDX-License-Identifier: Apache-2.0
#include "exchange/hf_layers.h"

namespace headrace::exchange {
namespace {

using workload::Mixer;
using workload::MixerKind;

/// A bias field of the file speaks of queries, keys and values; of the output as well unless the class says otherwise.
void read_biases(HfReading& reading, Mixer& mixer) {
  HfFields& fields = reading.fields;
  const HfFamily& family = reading.family;
  const bool own =
      fields.flag({"attention_bias", "use_qkv_bias", "qkv_bias", "add_qkv_bias", "bias", "use_bias", "add_bias_linear"},
                  family.biases.qkv);
  mixer.qkv_bias = own;
  const bool follows = family.reach != HfBiasReach::kQkv;
  const bool output = follows
                          ? fields.flag({"attention_bias", "bias", "use_bias", "add_bias_linear"}, family.biases.output)
                          : family.biases.output;
  mixer.output_bias = fields.flag({"attention_out_bias"}, output);
}

void read_qk_norm(HfReading& reading, Mixer& mixer) {
  HfFields& fields = reading.fields;
  const HfQkNorm rule = reading.family.qk_norm;
  mixer.qk_norm = fields.flag(
      {"use_qk_norm", "qk_layernorm", "qk_norm", "use_qk_layernorm", "attention_layer_norm", "attn_config.qk_ln"},
      rule != HfQkNorm::kStated);
  const std::string type = fields.text({"qk_norm_type"});
  mixer.qk_norm_whole = mixer.qk_norm && (type.empty() ? rule == HfQkNorm::kWhole : type == "per_layer");
}

std::int64_t read_kv_heads(HfReading& reading, std::int64_t heads) {
  HfFields& fields = reading.fields;
  if (reading.model.text_model_type == "falcon" || reading.model.text_model_type.starts_with("RefinedWeb")) {
    const bool grouped =
        fields.flag({"new_decoder_architecture"}, fields.find({"n_head_kv", "num_kv_heads"}) != nullptr);
    if (!grouped) return fields.flag({"multi_query"}, true) ? 1 : heads;
  }
  if (fields.flag({"multi_query_attention"}, false)) return fields.count({"multi_query_group_num"}, heads);
  if (fields.find({"num_key_value_heads"}) == nullptr &&
      fields.flag({"multi_query"}, reading.model.model_type == "gpt_bigcode")) {
    return fields.count({"num_kv_heads", "n_head_kv"}, 1);
  }
  const std::int64_t of_class = reading.family.sizes.kv_heads;
  return fields.count({"num_key_value_heads", "num_kv_heads", "n_head_kv", "num_attention_groups", "num_query_groups",
                       "num_multi_query_heads", "attn_config.kv_n_heads", "n_kv_heads"},
                      of_class > 0 && fields.find({"num_attention_heads"}) == nullptr
                          ? of_class
                          : (of_class > 0 && of_class <= heads ? of_class : heads));
}

}  // namespace

Mixer read_attention(HfReading& reading) {
  HfFields& fields = reading.fields;
  Mixer mixer;
  mixer.kind = MixerKind::kAttention;
  mixer.heads = fields.required({"num_attention_heads", "n_head", "n_heads", "num_heads"}, reading.family.sizes.heads);
  mixer.kv_heads = read_kv_heads(reading, mixer.heads);
  const std::int64_t of_class = reading.family.sizes.head_dim;
  const std::int64_t shared = mixer.heads > 0 ? reading.model.hidden / mixer.heads : 0;
  mixer.head_dim = fields.count({"head_dim", "kv_channels", "attention_head_dim", "attn_config.head_dim"},
                                of_class > 0 ? of_class : shared);
  mixer.value_dim = mixer.head_dim;
  mixer.causal = reading.family.structure != HfStructure::kEncoder;
  mixer.output_gate =
      fields.flag({"attn_output_gate", "attention_output_gate"}, reading.family.linear == HfLinear::kGatedDelta);
  mixer.extra_parameters = reading.family.sinks * mixer.heads;
  mixer.rotary =
      reading.family.rotary && reading.family.positions < 0 && !fields.flag({"alibi", "attn_config.alibi"}, false);
  read_biases(reading, mixer);
  read_qk_norm(reading, mixer);
  return mixer;
}

Mixer read_latent(HfReading& reading) {
  HfFields& fields = reading.fields;
  Mixer mixer;
  mixer.kind = MixerKind::kLatent;
  mixer.heads = fields.required({"num_attention_heads", "n_head"}, reading.family.sizes.heads);
  mixer.kv_heads = mixer.heads;
  mixer.q_lora_rank = fields.count({"q_lora_rank"}, 0);
  mixer.kv_lora_rank = fields.required({"kv_lora_rank"}, 512);
  mixer.rope_dim = fields.count({"qk_rope_head_dim"}, 64);
  mixer.head_dim = fields.count({"qk_nope_head_dim"}, 128) + mixer.rope_dim;
  mixer.value_dim = fields.count({"v_head_dim"}, 128);
  mixer.output_gate = fields.flag({"mla_use_output_gate"}, false);
  mixer.index_heads = fields.count({"index_n_heads"}, 0);
  mixer.index_dim = fields.count({"index_head_dim"}, 0);
  mixer.index_top_k = mixer.index_heads > 0 ? fields.count({"index_topk"}, 0) : 0;
  mixer.qkv_bias = fields.flag({"attention_bias"}, false);
  mixer.output_bias = mixer.qkv_bias;
  return mixer;
}

}  // namespace headrace::exchange
