// SPDX-License-Identifier: Apache-2.0
#include "exchange/hf_layers.h"

namespace headrace::exchange {
namespace {

using workload::Mixer;
using workload::MixerKind;

std::int64_t inner_width(HfReading& reading) {
  HfFields& fields = reading.fields;
  if (const double expand = fields.number({"mamba_expand", "expand"}, 0); expand > 0 && expand < 1000) {
    return static_cast<std::int64_t>(expand * static_cast<double>(reading.model.hidden));
  }
  return 2 * reading.model.hidden;
}

}  // namespace

Mixer read_mamba(HfReading& reading) {
  HfFields& fields = reading.fields;
  const bool jamba = reading.model.model_type == "jamba";
  Mixer mixer;
  mixer.kind = MixerKind::kMamba;
  // Files of the plain kind state the width, and an expansion that need not agree with it.
  mixer.inner_dim = fields.count({"mamba_intermediate_size", jamba ? "" : "intermediate_size"}, inner_width(reading));
  mixer.state_dim = fields.count({"mamba_d_state", "state_size", "d_state"}, 16);
  mixer.conv_width = fields.count({"mamba_d_conv", "conv_kernel", "d_conv"}, 4);
  mixer.conv_bias = fields.flag({"mamba_conv_bias", "use_conv_bias"}, true);
  mixer.qkv_bias = fields.flag({"mamba_proj_bias", "use_bias"}, false);
  mixer.output_bias = mixer.qkv_bias;
  const base::Value* rank = fields.find({"mamba_dt_rank", "time_step_rank", "dt_rank"});
  const std::int64_t automatic = (reading.model.hidden + 15) / 16;
  mixer.dt_rank = rank == nullptr || rank->quoted()
                      ? automatic
                      : fields.count({"mamba_dt_rank", "time_step_rank", "dt_rank"}, automatic);
  // Jamba normalises the step size and both state inputs.
  if (jamba) mixer.extra_parameters = mixer.dt_rank + 2 * mixer.state_dim;
  return mixer;
}

Mixer read_mamba2(HfReading& reading) {
  HfFields& fields = reading.fields;
  Mixer mixer;
  mixer.kind = MixerKind::kMamba2;
  mixer.heads = fields.count({"mamba_num_heads", "mamba_n_heads", "n_mamba_heads", "num_heads"}, 128);
  mixer.head_dim = fields.count({"mamba_head_dim", "mamba_d_head", "mamba_headdim", "head_dim"}, 0);
  mixer.inner_dim = mixer.head_dim > 0 ? mixer.heads * mixer.head_dim : inner_width(reading);
  if (mixer.heads > 0) mixer.head_dim = mixer.inner_dim / mixer.heads;
  mixer.value_dim = mixer.head_dim;
  mixer.state_dim = fields.count({"ssm_state_size", "mamba_d_state", "state_size"}, 128);
  mixer.groups = fields.count({"mamba_n_groups", "mamba_ngroups", "n_groups"}, 8);
  mixer.conv_width = fields.count({"conv_kernel", "mamba_d_conv"}, 4);
  mixer.conv_bias = fields.flag({"mamba_conv_bias", "use_conv_bias"}, true);
  mixer.qkv_bias = fields.flag({"mamba_proj_bias", "use_bias", "add_bias_linear"}, false);
  mixer.output_bias = mixer.qkv_bias;
  return mixer;
}

namespace {

/// Gated delta net (arXiv 2412.06464) as Qwen3-Next stores it: a gate and a decay per value head beside the
/// projections.
void gated_delta(HfReading& reading, Mixer& mixer) {
  HfFields& fields = reading.fields;
  mixer.heads = fields.count({"linear_num_value_heads"}, 32);
  mixer.kv_heads = fields.count({"linear_num_key_heads"}, 16);
  mixer.head_dim = fields.count({"linear_key_head_dim"}, 128);
  mixer.value_dim = fields.count({"linear_value_head_dim"}, 128);
  mixer.conv_width = fields.count({"linear_conv_kernel_dim"}, 4);
  mixer.output_gate = true;
  mixer.extra_parameters = 2 * reading.model.hidden * mixer.heads + 2 * mixer.heads + mixer.value_dim;
}

/// Kimi delta attention (arXiv 2510.26692): a decay per channel from a low-rank pair, a gate from another (or from a
/// whole matrix).
void kimi_delta(HfReading& reading, Mixer& mixer) {
  HfFields& fields = reading.fields;
  const std::int64_t hidden = reading.model.hidden;
  mixer.heads = fields.count({"linear_attn_config.num_heads"}, 32);
  mixer.kv_heads = mixer.heads;
  mixer.head_dim = fields.count({"linear_attn_config.head_dim"}, 128);
  mixer.value_dim = mixer.head_dim;
  mixer.conv_width = fields.count({"linear_attn_config.short_conv_kernel_size"}, 4);
  const std::int64_t inner = mixer.heads * mixer.head_dim;
  const std::int64_t pair = hidden * mixer.head_dim + mixer.head_dim * inner;
  mixer.output_gate = fields.flag({"linear_attn_config.use_full_rank_gate"}, false);
  mixer.extra_parameters =
      pair * (mixer.output_gate ? 1 : 2) + hidden * mixer.heads + mixer.heads + inner + mixer.head_dim;
}

/// Lightning attention (arXiv 2501.08313): whole heads, an output gate, a norm over all values.
void lightning(HfReading& reading, Mixer& mixer) {
  const Mixer full = read_attention(reading);
  mixer.heads = full.heads;
  mixer.kv_heads = full.heads;
  mixer.head_dim = full.head_dim;
  mixer.value_dim = full.head_dim;
  mixer.output_gate = true;
  mixer.extra_parameters = full.heads * full.head_dim;
}

}  // namespace

Mixer read_linear_attention(HfReading& reading) {
  Mixer mixer;
  mixer.kind = MixerKind::kLinear;
  switch (reading.family.linear) {
    case HfLinear::kGatedDelta: gated_delta(reading, mixer); break;
    case HfLinear::kKda: kimi_delta(reading, mixer); break;
    case HfLinear::kLightning: lightning(reading, mixer); break;
    case HfLinear::kNone: reading.fields.miss("layer_types"); break;
  }
  mixer.inner_dim = mixer.heads * mixer.value_dim;
  mixer.state_dim = mixer.head_dim;
  return mixer;
}

}  // namespace headrace::exchange
