// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "workload/architecture.h"

namespace headrace::exchange {

/// Sizes that a model class takes where its file is silent; 0 = the class has none, so that the file must say.
struct HfSizes {
  std::int64_t vocabulary = 0;
  std::int64_t hidden = 0;
  std::int64_t inner = 0;
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
};

/// Which linear layers have a bias unless the file says otherwise.
struct HfBiases {
  bool qkv = false;
  bool output = false;
  bool mlp = false;
  bool head = false;
};

/// What a general bias field of the file (`bias`, `use_bias`, `attention_bias`) speaks of.
enum class HfBiasReach { kQkv, kAttention, kEverything };

enum class HfQkNorm {
  kStated,  ///< when `use_qk_norm` or `qk_layernorm` says so
  kHead,    ///< one weight per value of a head
  kWhole,   ///< one weight per value of all heads
};

/// Which layers have the sliding window where no `layer_types` says so.
enum class HfWindows {
  kNone,
  kAll,
  kPattern,  ///< all but every window_period-th
  kUpper,    ///< from `max_window_layers` on, when `use_sliding_window`
};

/// How the layers are put together.
enum class HfStructure {
  kLayers,   ///< one mixer and one feed-forward per layer, by `layer_types` where layers differ
  kEncoder,  ///< as above, attending both ways, with norms after; no LM head
  kMamba,    ///< one Mamba block per layer and nothing else
  kMamba2,
  kPattern,  ///< a letter per layer says which single block it is (Nemotron-H)
  kZamba2,   ///< Mamba-2 layers, and now and then one of a few shared transformer blocks
  kRwkv,
  kBlocks,   ///< `block_configs` gives every layer its own widths (Nemotron NAS)
  kTwin,     ///< each named layer is two attention blocks and two dense MLPs, with experts across (LongCat)
  kNothing,  ///< a wrapper around something that is no language model
};

enum class HfLinear { kNone, kGatedDelta, kLightning, kKda };

/// One row of the table of model classes: the facts of a class that its config.json files leave out.
struct HfFamily {
  std::string_view types;  ///< model types and class names that read alike, separated by spaces
  HfStructure structure = HfStructure::kLayers;
  HfSizes sizes = {};
  bool tied = false;
  workload::NormKind norm = workload::NormKind::kRms;
  bool norm_bias = false;
  int norms = 2;
  bool embedding_norm = false;
  bool gated = true;
  HfBiases biases = {};
  HfBiasReach reach = HfBiasReach::kAttention;
  HfQkNorm qk_norm = HfQkNorm::kStated;
  bool parallel = false;
  int positions = -1;   ///< learned positions: how many more than the context length; -1 = none
  int inner_ratio = 0;  ///< MLP width over hidden where no field says so
  HfWindows windows = HfWindows::kNone;
  int window_period = 0;
  std::int64_t window = 0;  ///< where the file is silent
  bool router_bias = false;
  bool shared_gate = false;
  bool expert_bias = false;  ///< experts are biased though no field says so
  HfLinear linear = HfLinear::kNone;
  int sinks = 0;  ///< more parameters per attention head
  bool rotary = true;
  workload::ActiveCount active_count = workload::ActiveCount::kWithHead;
};

/// The row of a model type or class name; nullptr when it is in none.
const HfFamily* find_hf_family(std::string_view type);

/// Model types that are no decoder language model at all, and that this reader refuses by name.
bool is_other_kind(std::string_view type);

}  // namespace headrace::exchange
