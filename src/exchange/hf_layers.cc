// SPDX-License-Identifier: Apache-2.0
#include "exchange/hf_layers.h"

#include <algorithm>

namespace headrace::exchange {
namespace {

using workload::FeedForward;
using workload::LayerKind;
using workload::Mixer;
using workload::MixerKind;

enum class Slot { kFull, kSliding, kLinear, kMamba, kMamba2, kConvolution };

Slot slot_of(std::string_view type, const HfReading& reading) {
  if (type == "sliding_attention" || type == "chunked_attention" || type == "local_attention" || type == "sliding")
    return Slot::kSliding;
  if (type == "linear_attention" || type == "kda") return Slot::kLinear;
  if (type == "mamba" || type == "mamba2") return reading.model.model_type == "jamba" ? Slot::kMamba : Slot::kMamba2;
  if (type == "conv") return Slot::kConvolution;
  return Slot::kFull;
}

std::int64_t window_of(HfReading& reading) {
  return reading.fields.count({"sliding_window", "attention_chunk_size", "sliding_window_size", "window_size"},
                              reading.family.window, 1'000'000'000);
}

std::vector<Slot> repeated(const HfReading& reading, auto&& slot_at) {
  std::vector<Slot> slots;
  for (std::int64_t i = 0; i < reading.layers; ++i) slots.push_back(slot_at(i));
  return slots;
}

/// Lists of the file that name the layers one by one; empty when it has none.
std::vector<Slot> stated_slots(HfReading& reading) {
  HfFields& fields = reading.fields;
  std::vector<Slot> slots;
  for (const char* name : {"layer_types", "layers_block_type"}) {
    const auto types = fields.texts(name);
    if (static_cast<std::int64_t>(types.size()) < reading.layers) continue;
    return repeated(reading, [&](std::int64_t i) { return slot_of(types[static_cast<std::size_t>(i)], reading); });
  }
  const auto kinds = fields.counts("attn_type_list");
  if (reading.family.linear == HfLinear::kLightning && static_cast<std::int64_t>(kinds.size()) >= reading.layers) {
    return repeated(
        reading, [&](std::int64_t i) { return kinds[static_cast<std::size_t>(i)] == 0 ? Slot::kLinear : Slot::kFull; });
  }
  return slots;
}

bool holds(const std::vector<std::int64_t>& numbers, std::int64_t number) {
  return std::ranges::find(numbers, number) != numbers.end();
}

/// Rules of hybrids that say by numbers where the attention layers are; empty when the file has none.
std::vector<Slot> hybrid_slots(HfReading& reading) {
  HfFields& fields = reading.fields;
  const std::string& type = reading.model.model_type;
  if (type == "jamba") {
    const std::int64_t period = std::max<std::int64_t>(1, fields.count({"attn_layer_period"}, 8));
    const std::int64_t offset = fields.count({"attn_layer_offset"}, 4);
    return repeated(reading, [&](std::int64_t i) { return i % period == offset ? Slot::kFull : Slot::kMamba; });
  }
  if (type == "bamba") {
    const auto attention = fields.counts("attn_layer_indices");
    return repeated(reading, [&](std::int64_t i) { return holds(attention, i) ? Slot::kFull : Slot::kMamba2; });
  }
  if (reading.family.linear == HfLinear::kGatedDelta) {
    const std::int64_t interval = std::max<std::int64_t>(1, fields.count({"full_attention_interval"}, 4));
    return repeated(reading, [&](std::int64_t i) { return (i + 1) % interval == 0 ? Slot::kFull : Slot::kLinear; });
  }
  if (const base::Value* config = fields.find({"linear_attn_config"});
      config != nullptr && reading.family.linear == HfLinear::kKda) {
    HfFields linear(*config, *config);
    const auto full = linear.counts("full_attn_layers");  // counted from 1
    return repeated(reading, [&](std::int64_t i) { return holds(full, i + 1) ? Slot::kFull : Slot::kLinear; });
  }
  return {};
}

/// Sliding windows by the rule of the class.
std::vector<Slot> window_slots(HfReading& reading) {
  HfFields& fields = reading.fields;
  if (window_of(reading) == 0) return std::vector<Slot>(static_cast<std::size_t>(reading.layers), Slot::kFull);
  if (fields.find({"attention_chunk_size"}) != nullptr) {
    // Llama 4: every fourth layer sees all.
    return repeated(reading, [](std::int64_t i) { return (i + 1) % 4 == 0 ? Slot::kFull : Slot::kSliding; });
  }
  const auto pattern = fields.find({"sliding_window_pattern"});
  const bool lettered = pattern != nullptr && pattern->quoted();
  const std::int64_t period =
      std::max<std::int64_t>(1, lettered ? reading.family.window_period
                                         : fields.count({"sliding_window_pattern"}, reading.family.window_period));
  const std::int64_t upper = fields.count({"max_window_layers"}, reading.layers);
  const bool used = fields.flag({"use_sliding_window"}, reading.family.windows != HfWindows::kUpper);
  return repeated(reading, [&](std::int64_t i) {
    switch (reading.family.windows) {
      case HfWindows::kNone: return Slot::kFull;
      case HfWindows::kAll: return used ? Slot::kSliding : Slot::kFull;
      case HfWindows::kPattern: return (i + 1) % period == 0 ? Slot::kFull : Slot::kSliding;
      case HfWindows::kUpper: return used && i >= upper ? Slot::kSliding : Slot::kFull;
    }
    return Slot::kFull;
  });
}

std::vector<Slot> read_slots(HfReading& reading) {
  if (auto slots = stated_slots(reading); !slots.empty()) return slots;
  if (auto slots = hybrid_slots(reading); !slots.empty()) return slots;
  return window_slots(reading);
}

/// A gated short convolution over three projections (LFM2), counted but not told apart from other linear mixers.
Mixer read_convolution(HfReading& reading) {
  Mixer mixer;
  mixer.kind = MixerKind::kLinear;
  const std::int64_t hidden = reading.model.hidden;
  mixer.heads = mixer.kv_heads = 1;
  mixer.head_dim = mixer.value_dim = hidden;
  mixer.conv_width = 0;
  mixer.extra_parameters = hidden * reading.fields.count({"conv_L_cache"}, 3);
  return mixer;
}

bool is_latent(HfReading& reading) {
  return reading.fields.count({"kv_lora_rank"}, 0) > 0 && reading.fields.flag({"use_mla"}, true);
}

/// Builds each mixer once, for files say thousands of layers of a few kinds.
class Mixers {
 public:
  explicit Mixers(HfReading& reading) : reading_(&reading) {}

  Mixer operator()(Slot slot) {
    switch (slot) {
      case Slot::kFull: return full();
      case Slot::kSliding: {
        Mixer mixer = full();
        mixer.window = window_of(*reading_);
        return mixer;
      }
      case Slot::kLinear: return read_linear_attention(*reading_);
      case Slot::kMamba: return read_mamba(*reading_);
      case Slot::kMamba2: return read_mamba2(*reading_);
      case Slot::kConvolution: return read_convolution(*reading_);
    }
    return {};
  }

 private:
  Mixer full() { return is_latent(*reading_) ? read_latent(*reading_) : read_attention(*reading_); }
  HfReading* reading_;
};

std::vector<LayerKind> standard_layers(HfReading& reading) {
  const std::vector<Slot> slots = read_slots(reading);
  const FeedForward experts = read_experts(reading);
  const std::vector<bool> has_experts =
      experts.experts > 0 ? read_expert_layers(reading) : std::vector<bool>(slots.size(), false);
  const bool all_experts = std::ranges::find(has_experts, false) == has_experts.end();
  const FeedForward dense = all_experts ? FeedForward{} : read_dense(reading);
  Mixers mixer_of(reading);
  std::vector<Mixer> mixers(6);
  std::vector<bool> built(6, false);
  std::vector<LayerKind> layers;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto slot = static_cast<std::size_t>(slots[i]);
    if (!built[slot]) mixers[slot] = mixer_of(slots[i]);
    built[slot] = true;
    LayerKind layer = bare_layer(reading);
    layer.mixer = mixers[slot];
    layer.feed_forward = has_experts[i] ? experts : dense;
    layers.push_back(layer);
  }
  return layers;
}

/// One state-space block per layer and nothing else.
std::vector<LayerKind> state_space_layers(HfReading& reading) {
  LayerKind layer = bare_layer(reading);
  layer.mixer = reading.family.structure == HfStructure::kMamba ? read_mamba(reading) : read_mamba2(reading);
  return std::vector<LayerKind>(static_cast<std::size_t>(reading.layers), layer);
}

}  // namespace

LayerKind bare_layer(const HfReading& reading) {
  LayerKind layer;
  layer.norm = reading.family.norm;
  layer.norm_bias = reading.family.norm_bias;
  layer.norms = reading.family.norms;
  layer.parallel_residual = reading.family.parallel;
  layer.mixer.kind = MixerKind::kNone;
  return layer;
}

std::vector<LayerKind> read_layers(HfReading& reading) {
  switch (reading.family.structure) {
    case HfStructure::kLayers:
    case HfStructure::kEncoder: return standard_layers(reading);
    case HfStructure::kMamba:
    case HfStructure::kMamba2: return state_space_layers(reading);
    case HfStructure::kPattern: return read_pattern_layers(reading);
    case HfStructure::kZamba2: return read_zamba2_layers(reading);
    case HfStructure::kRwkv: return read_rwkv_layers(reading);
    case HfStructure::kBlocks: return read_block_layers(reading);
    case HfStructure::kTwin: return read_twin_layers(reading);
    case HfStructure::kNothing: break;
  }
  return {};
}

}  // namespace headrace::exchange
