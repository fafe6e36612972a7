// SPDX-License-Identifier: Apache-2.0
#include "exchange/hf_quantization.h"

#include <algorithm>

namespace headrace::exchange {
namespace {

using base::Value;
using workload::Architecture;
using workload::Quantization;
using workload::QuantizedParts;

std::string text_of(const Value& map, std::string_view path) {
  const Value* value = find_path(map, path);
  return value != nullptr && value->is_scalar() ? value->raw() : "";
}

/// Names of modules that stay as they are, as lists of several keys give them.
std::vector<std::string> kept_modules(const Value& config) {
  std::vector<std::string> names;
  for (const char* key : {"ignore", "modules_to_not_convert", "exclude_modules", "llm_int8_skip_modules"}) {
    const Value* list = find_path(config, key);
    if (list == nullptr || !list->is_list()) continue;
    for (const Value& item : list->items()) names.push_back(item.raw());
  }
  return names;
}

/// Whether a kind of module is kept: by a pattern, or name by name in at least half of the layers.
bool is_kept(const std::vector<std::string>& names, std::initializer_list<std::string_view> words, std::size_t layers) {
  std::size_t named = 0;
  for (const std::string& name : names) {
    const bool matches =
        std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != std::string::npos; });
    // Small parts of attention say nothing of its projections.
    if (!matches || name.find("norm") != std::string::npos || name.find("indexer") != std::string::npos) continue;
    const bool pattern = name.starts_with("re:") || name.starts_with("*") ||
                         name.find("layers.*") != std::string::npos || name.find("layers.") == std::string::npos;
    if (pattern) return true;
    ++named;
  }
  return 2 * named >= layers && named > 0;
}

QuantizedParts parts_of(const Value& config, std::size_t layers) {
  const auto kept = kept_modules(config);
  QuantizedParts parts;
  parts.attention = !is_kept(kept, {"self_attn", ".attn.", "q_proj"}, layers);
  parts.state_space = !is_kept(kept, {"linear_attn", "mixer.in_proj", ".mamba"}, layers);
  parts.shared_experts = !is_kept(kept, {"shared_expert.", "shared_experts", "shared_expert*"}, layers);
  parts.mlp = !is_kept(kept, {"mlp.down_proj", "mlp\\\\.(gate", "mlp\\.(gate", "feed_forward.down_proj"}, layers);
  parts.mtp = !is_kept(kept, {"mtp"}, layers);
  return parts;
}

double count_or(const Value& map, std::string_view path, double otherwise) {
  const Value* value = find_path(map, path);
  if (value == nullptr) return otherwise;
  const auto read = value->number();
  return read && *read >= 0 && *read <= 1e6 ? *read : otherwise;
}

std::int64_t block_of(const Value& map, std::string_view path) {
  const double size = count_or(map, path, 0);
  return static_cast<std::int64_t>(size);
}

/// Blocks of outputs × inputs with an fp32 scale (one byte as a power of two), or one scale for the matrix.
Quantization fp8(const Value& config) {
  Quantization how{.bits = 8, .block_outputs = 0, .scale_bytes = 4};
  const Value* block = find_path(config, "weight_block_size");
  if (block == nullptr || !block->is_list() || block->items().size() != 2) return how;
  const auto side = [](const Value& value) {
    const double width = value.number().value_or(128);
    return width >= 1 && width <= 1e6 ? static_cast<std::int64_t>(width) : 128;
  };
  how.block_outputs = side(block->items()[0]);
  how.block_inputs = side(block->items()[1]);
  if (text_of(config, "scale_fmt") == "ue8m0") how.scale_bytes = 1;
  return how;
}

/// Codes, half-precision scales and packed zeros by group; GPTQ also keeps the order of the inputs.
Quantization grouped(const Value& config, bool ordered) {
  Quantization how{.bits = count_or(config, "bits", 4), .scale_bytes = 2};
  how.block_inputs = block_of(config, "group_size");
  how.zero_bits = how.bits;
  how.input_bytes = ordered ? 4 : 0;
  return how;
}

Quantization bits_and_bytes(const Value& config) {
  // Int8 keeps a scale per output; 4 bits a scale per 64 weights, the table of its 16 codes, and a description.
  if (text_of(config, "load_in_8bit") == "true") return {.bits = 8, .scale_bytes = 4, .matrix_bytes = 1};
  Quantization how{.bits = 4, .block_inputs = 64, .scale_bytes = 4, .matrix_bytes = 164};
  if (text_of(config, "bnb_4bit_use_double_quant") == "true") how.scale_bytes = 1 + 4.0 / 256;
  return how;
}

/// The first group of weights that the file describes.
Quantization described(const Value& config) {
  const Value* groups = find_path(config, "config_groups");
  if (groups == nullptr || !groups->is_map() || groups->members().empty()) return {};
  const Value& group = groups->members().front().value;
  Quantization how{.bits = count_or(group, "weights.num_bits", 8), .scale_bytes = 2};
  const std::string strategy = text_of(group, "weights.strategy");
  how.block_inputs = block_of(group, "weights.group_size");
  if (strategy == "tensor") how.block_outputs = 0;
  const std::string format = text_of(config, "format");
  if (format.starts_with("mxfp4")) how.scale_bytes = 1;
  if (format.starts_with("nvfp4")) how = {.bits = 4, .block_inputs = 16, .scale_bytes = 1, .matrix_bytes = 8};
  // Packed integers keep the matrix's shape beside them.
  if (format == "pack-quantized") how.matrix_bytes = 16;
  return how;
}

/// The formats of NVIDIA's Model Optimizer: FP8 with scales of weights and inputs, MXFP8, FP4 with a scale per 16.
Quantization of_algorithm(const std::string& algorithm) {
  if (algorithm == "FP8") return {.bits = 8, .block_outputs = 0, .scale_bytes = 8};
  if (algorithm == "MXFP8") return {.bits = 8, .block_inputs = 32, .scale_bytes = 1};
  return {.bits = 4, .block_inputs = 16, .scale_bytes = 1, .matrix_bytes = 8};
}

void add_part(const std::string& name, QuantizedParts& parts) {
  const auto has = [&](std::string_view word) { return name.find(word) != std::string::npos; };
  if (has("shared_expert")) {
    parts.shared_experts = true;
  } else if (has("experts")) {
    parts.experts = true;
  } else if (has("linear_attn") || has("mixer.in_proj") || has("mixer.out_proj") || has("mamba")) {
    parts.state_space = true;
  } else if (has("attn") || has("q_proj")) {
    parts.attention = true;
  } else if (has("mlp") || has("feed_forward")) {
    parts.mlp = true;
  } else if (has("head")) {
    parts.head = true;
  }
}

/// A mixed checkpoint names its quantised layers one by one: 4-bit formats are the first, 8-bit formats the second.
void read_mixed(const Value& layers, Architecture& model) {
  constexpr QuantizedParts kNone{
      .attention = false, .state_space = false, .mlp = false, .experts = false, .shared_experts = false, .mtp = false};
  Quantization narrow{.parts = kNone};
  Quantization wide{.parts = kNone};
  for (const Value::Member& layer : layers.members()) {
    const Quantization how = of_algorithm(text_of(layer.value, "quant_algo"));
    Quantization& kept = how.bits < 8 ? narrow : wide;
    QuantizedParts parts = kept.parts;
    add_part(layer.key, parts);
    kept = how;
    kept.parts = parts;
  }
  // Block-quantised FP8 under four-bit experts: what the first format leaves stays FP8.
  if (model.quantized.bits == 8 && wide.bits == 0 && narrow.bits > 0) {
    wide = model.quantized;
    wide.parts = QuantizedParts{};
  }
  model.quantized = narrow.bits > 0 ? narrow : wide;
  model.also_quantized = narrow.bits > 0 ? wide : Quantization{};
}

Quantization layout_of(const Value& config, const std::string& method) {
  if (method == "fp8") return fp8(config);
  if (method == "fbgemm_fp8") return {.bits = 8, .scale_bytes = 4, .matrix_bytes = 4};
  if (method == "gptq") return grouped(config, true);
  if (method == "awq") return grouped(config, false);
  if (method == "auto-round")
    return grouped(config, text_of(config, "packing_format").find("gptq") != std::string::npos);
  if (method == "mxfp4") return {.bits = 4, .block_inputs = 32, .scale_bytes = 1};
  if (method == "bitsandbytes") return bits_and_bytes(config);
  if (method == "compressed-tensors") return described(config);
  if (method == "modelopt") return of_algorithm(text_of(config, "quant_algo"));
  return {};
}

}  // namespace

void read_hf_quantization(const Value& root, const Value& language, const Value* beside, Architecture& model) {
  const Value* config = find_path(root, "quantization_config");
  if (config == nullptr) config = find_path(language, "quantization_config");
  if (config == nullptr && beside != nullptr) {
    config = find_path(*beside, "quantization");
    if (config == nullptr) config = beside;
  }
  if (config == nullptr || !config->is_map()) return;
  std::string method = text_of(*config, "quant_method");
  if (method.empty() && find_path(*config, "quant_algo") != nullptr) method = "modelopt";
  model.quantization = method.empty() ? "unknown" : method;
  model.quantized = layout_of(*config, method);
  if (model.quantized.bits == 0) {
    model.guesses.emplace_back("hf.unknown_quantization");
    return;
  }
  const Value* layers = find_path(*config, "quantized_layers");
  if (layers != nullptr && layers->is_map() && text_of(*config, "quant_algo") == "MIXED_PRECISION")
    return read_mixed(*layers, model);
  if (text_of(language, "expert_dtype") == "fp4") model.quantized.expert_bits = 4;
  model.quantized.parts = parts_of(*config, model.layers.size());
  if (method == "mxfp4")
    model.quantized.parts = {
        .attention = false, .state_space = false, .mlp = false, .experts = true, .shared_experts = false, .mtp = false};
}

}  // namespace headrace::exchange
