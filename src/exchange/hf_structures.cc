// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "exchange/hf_layers.h"

namespace headrace::exchange {

using workload::LayerKind;
using workload::Mixer;
using workload::MixerKind;

namespace {

/// The block letters, of which newer files make words.
std::string block_letters(HfReading& reading) {
  std::string pattern = reading.fields.text({"hybrid_override_pattern", "hybrid_layer_pattern"});
  for (const std::string& word : reading.fields.texts("layers_block_type")) {
    pattern += word == "mamba" ? 'M' : word == "attention" ? '*' : word == "moe" ? 'E' : '-';
  }
  if (pattern.empty()) reading.fields.miss("hybrid_override_pattern");
  return pattern.substr(0, 2'000);
}

}  // namespace

/// Nemotron-H (arXiv 2504.03624): M is a Mamba-2 block, * attention, - a dense MLP, E experts.
std::vector<LayerKind> read_pattern_layers(HfReading& reading) {
  std::vector<LayerKind> layers;
  for (const char letter : block_letters(reading)) {
    LayerKind layer = bare_layer(reading);
    switch (letter) {
      case 'M': layer.mixer = read_mamba2(reading); break;
      case '*': layer.mixer = read_attention(reading); break;
      case '-': layer.feed_forward = read_dense(reading); break;
      case 'E': layer.feed_forward = read_experts(reading); break;
      default: continue;
    }
    layers.push_back(layer);
  }
  reading.model.stated_layers = static_cast<std::int64_t>(layers.size());
  return layers;
}

namespace {

/// A shared transformer block: attention and MLP over the hidden state joined with the embedding, so twice as wide;
/// each use adds an adapter to the MLP's inputs and a projection back. Source: Zamba2 (arXiv 2411.15242).
LayerKind shared_block(HfReading& reading) {
  HfFields& fields = reading.fields;
  const std::int64_t hidden = reading.model.hidden;
  LayerKind layer = bare_layer(reading);
  layer.norms = 0;
  Mixer& mixer = layer.mixer;
  mixer.kind = MixerKind::kAttention;
  mixer.heads = fields.required({"num_attention_heads"}, reading.family.sizes.heads);
  mixer.kv_heads = fields.count({"num_key_value_heads"}, mixer.heads);
  mixer.head_dim = mixer.heads > 0 ? 2 * hidden / mixer.heads : 0;
  mixer.value_dim = mixer.head_dim;
  layer.feed_forward.hidden = fields.count({"intermediate_size"}, 4 * hidden);
  // The mixer's own count is for inputs of one hidden width: queries, keys and values read two, and two norms are of
  // 2·hidden and hidden.
  const std::int64_t second_half = hidden * mixer.head_dim * (mixer.heads + 2 * mixer.kv_heads);
  layer.mixer.extra_parameters = second_half + 3 * hidden;
  return layer;
}

/// What every use of a shared block adds: the adapters of its MLP (and attention), its projection, its Mamba-2 layer
/// follows by itself.
std::int64_t use_parameters(HfReading& reading, std::int64_t intermediate) {
  HfFields& fields = reading.fields;
  const std::int64_t hidden = reading.model.hidden;
  const std::int64_t rank = fields.count({"adapter_rank"}, 128);
  std::int64_t sum = hidden * hidden;
  if (fields.flag({"use_shared_mlp_adapter"}, true)) sum += rank * (hidden + 2 * intermediate);
  if (fields.flag({"use_shared_attention_adapter"}, false)) sum += 3 * rank * (2 * hidden + 2 * hidden);
  return sum;
}

std::vector<bool> hybrid_places(HfReading& reading) {
  std::vector<bool> hybrid(static_cast<std::size_t>(reading.layers), false);
  const auto types = reading.fields.texts("layers_block_type");
  for (std::size_t i = 0; i < std::min(types.size(), hybrid.size()); ++i) hybrid[i] = types[i] == "hybrid";
  if (!types.empty()) return hybrid;
  for (const std::int64_t id : reading.fields.counts("hybrid_layer_ids")) {
    if (id < reading.layers) hybrid[static_cast<std::size_t>(id)] = true;
  }
  return hybrid;
}

}  // namespace

std::vector<LayerKind> read_zamba2_layers(HfReading& reading) {
  LayerKind mamba = bare_layer(reading);
  mamba.norms = 1;
  mamba.mixer = read_mamba2(reading);
  const LayerKind block = shared_block(reading);
  const std::int64_t blocks = reading.fields.count({"num_mem_blocks"}, 1);
  std::vector<LayerKind> layers;
  std::int64_t uses = 0;
  for (const bool hybrid : hybrid_places(reading)) {
    if (hybrid) {
      LayerKind use = block;
      use.shares_weights = uses >= blocks;
      use.extra_parameters = use_parameters(reading, block.feed_forward.hidden);
      layers.push_back(use);
      ++uses;
    }
    layers.push_back(mamba);
  }
  return layers;
}

namespace {

/// Time mixing: receptance, key, value, output (and from the fifth version a gate), decays, token shifts and their
/// low-rank pairs. Sources: RWKV-4 (arXiv 2305.13048), RWKV-5 and 6 (arXiv 2404.05892).
Mixer rwkv_mixer(HfReading& reading, int version) {
  const std::int64_t hidden = reading.model.hidden;
  const std::int64_t inner = reading.fields.count({"attention_hidden_size"}, hidden);
  Mixer mixer;
  mixer.kind = MixerKind::kLinear;
  mixer.value_dim = reading.fields.count({"head_size", "head_dim"}, 64);
  mixer.head_dim = mixer.value_dim;
  mixer.heads = mixer.value_dim > 0 ? inner / mixer.value_dim : 0;
  mixer.kv_heads = mixer.heads;
  mixer.inner_dim = inner;
  mixer.state_dim = mixer.head_dim;
  mixer.output_gate = version >= 5;
  if (version == 4) mixer.extra_parameters = 2 * inner + 3 * hidden;
  // Decay and bonus per channel, four token shifts, the norm of the heads.
  if (version == 5) mixer.extra_parameters = 2 * inner + 4 * hidden + 2 * inner;
  // Six shifts, five low-rank pairs of rank 32 for them, a pair of rank 64 for the decay.
  if (version >= 6)
    mixer.extra_parameters = 2 * inner + 6 * hidden + 2 * inner + 10 * 32 * hidden + 64 * (hidden + inner);
  return mixer;
}

}  // namespace

std::vector<LayerKind> read_rwkv_layers(HfReading& reading) {
  const std::string& type = reading.model.model_type;
  const int version = type.size() == 5 && type[4] >= '4' && type[4] <= '9' ? type[4] - '0' : 4;
  const std::int64_t hidden = reading.model.hidden;
  LayerKind layer = bare_layer(reading);
  layer.mixer = rwkv_mixer(reading, version);
  // Channel mixing: key and value matrices, and a receptance of hidden × hidden with its shifts.
  const std::int64_t wide =
      version == 4 ? 4 * hidden : static_cast<std::int64_t>(3.5 * static_cast<double>(hidden)) / 32 * 32;
  layer.feed_forward.hidden = reading.fields.count({"intermediate_size"}, wide);
  layer.feed_forward.gated = false;
  layer.extra_parameters = hidden * hidden + 2 * hidden;
  reading.model.embedding_norm = true;
  return std::vector<LayerKind>(static_cast<std::size_t>(reading.layers), layer);
}

namespace {

/// Width of an MLP given as a multiple of the hidden width, rounded up to 256 as the class does.
std::int64_t width_of_multiple(double multiple, std::int64_t hidden) {
  const auto width = static_cast<std::int64_t>(2 * multiple * static_cast<double>(hidden) / 3);
  return (width + 255) / 256 * 256;
}

bool says(const base::Value& block, std::string_view path) {
  const base::Value* value = find_path(block, path);
  return value != nullptr && value->raw() == "true";
}

LayerKind block_layer(HfReading& reading, const base::Value& block, const Mixer& whole) {
  HfFields fields(block, block);
  LayerKind layer = bare_layer(reading);
  const std::int64_t hidden = reading.model.hidden;
  layer.norms = 0;
  if (says(block, "attention.replace_with_linear")) {
    ++layer.norms;
    layer.extra_parameters += hidden * hidden;
  } else if (!says(block, "attention.no_op")) {
    ++layer.norms;
    layer.mixer = whole;
    const std::int64_t in_group = fields.count({"attention.n_heads_in_group"}, 1);
    if (in_group > 0) layer.mixer.kv_heads = whole.heads / in_group;
  }
  if (says(block, "ffn.replace_with_linear")) {
    ++layer.norms;
    layer.extra_parameters += hidden * hidden;
  } else if (!says(block, "ffn.no_op")) {
    ++layer.norms;
    const double multiple = fields.number({"ffn.ffn_mult"}, 0);
    layer.feed_forward.hidden = fields.count({"ffn.intermediate_size"},
                                             multiple > 0 && multiple < 1e4 ? width_of_multiple(multiple, hidden) : 0);
  }
  if (const auto checked = fields.finish(reading.model.model_type); !checked) reading.fields.fail(checked.error());
  return layer;
}

}  // namespace

/// Searched architectures (arXiv 2411.19146): each block states its groups of heads and its MLP, or that it lacks them.
std::vector<LayerKind> read_block_layers(HfReading& reading) {
  const base::Value* blocks = reading.fields.find({"block_configs"});
  if (blocks == nullptr || !blocks->is_list()) {
    reading.fields.miss("block_configs");
    return {};
  }
  const Mixer whole = read_attention(reading);
  std::vector<LayerKind> layers;
  for (const base::Value& block : blocks->items()) {
    if (layers.size() >= 2'000) break;
    layers.push_back(block_layer(reading, block, whole));
  }
  return layers;
}

/// LongCat-Flash (arXiv 2509.01322): experts across two blocks, each of latent attention and a dense MLP; told as two
/// layers, the first with experts.
std::vector<LayerKind> read_twin_layers(HfReading& reading) {
  LayerKind second = bare_layer(reading);
  second.mixer = read_latent(reading);
  second.feed_forward = read_dense(reading);
  LayerKind first = second;
  first.feed_forward = read_experts(reading);
  first.feed_forward.hidden = second.feed_forward.hidden;
  std::vector<LayerKind> layers;
  for (std::int64_t i = 0; i < reading.layers; ++i) {
    layers.push_back(first);
    layers.push_back(second);
  }
  return layers;
}

}  // namespace headrace::exchange
