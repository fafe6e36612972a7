// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include "exchange/hf_layers.h"

namespace headrace::exchange {
namespace {

using base::Value;

/// How a vision tower's outputs reach the language model.
enum class Joint {
  kNone,
  kGemma,     ///< a matrix and a norm
  kTwoLayer,  ///< two biased matrices (LLaVA)
  kPixtral,   ///< a norm, a merger of neighbours, two matrices without bias
  kMerger,    ///< norm, then two biased matrices over four joined patches (Qwen-VL, Kimi)
  kLlama4,
  kMllama,
  kGlm,
  kGemma4,  ///< a matrix; places are learned for both axes
};

/// What the classes of vision transformers differ in. Facts of the modelling code (Hugging Face transformers 4.57
/// and 5.0; Kimi's and Molmo's own).
struct TowerClass {
  std::string_view types;
  bool gated = false;
  bool attention_bias = true;
  bool mlp_bias = true;
  int norm_width = 2;  ///< 2 with weight and bias, 1 with weight
  int block_norms = 2;
  bool qk_norm = false;
  int outer_norms = 0;  ///< around the whole stack
  bool patch_bias = false;
  bool class_token = false;
  bool positions = false;  ///< learned, one per patch of the largest image where no field counts them
  Joint joint = Joint::kNone;
};

constexpr auto kTowers = std::to_array<TowerClass>({
    {.types = "gemma3", .outer_norms = 1, .patch_bias = true, .positions = true, .joint = Joint::kGemma},
    {.types = "gemma4",
     .gated = true,
     .attention_bias = false,
     .mlp_bias = false,
     .norm_width = 1,
     .block_norms = 4,
     .qk_norm = true,
     .joint = Joint::kGemma4},
    {.types = "paligemma", .outer_norms = 1, .patch_bias = true, .positions = true, .joint = Joint::kNone},
    {.types = "llava llava_next llava_onevision vipllava",
     .outer_norms = 2,
     .class_token = true,
     .positions = true,
     .joint = Joint::kTwoLayer},
    {.types = "mistral3 pixtral",
     .gated = true,
     .attention_bias = false,
     .mlp_bias = false,
     .norm_width = 1,
     .outer_norms = 1,
     .joint = Joint::kPixtral},
    {.types = "qwen2_vl", .joint = Joint::kMerger},
    {.types = "qwen2_5_vl bailingmm", .gated = true, .norm_width = 1, .joint = Joint::kMerger},
    {.types = "qwen3_vl qwen3_vl_moe qwen3_5 qwen3_5_moe",
     .patch_bias = true,
     .positions = true,
     .joint = Joint::kMerger},
    {.types = "kimi_k25 kimi_vl", .outer_norms = 1, .patch_bias = true, .positions = true, .joint = Joint::kMerger},
    {.types = "llama4", .outer_norms = 2, .class_token = true, .positions = true, .joint = Joint::kLlama4},
    {.types = "mllama", .attention_bias = false, .outer_norms = 2, .class_token = true, .joint = Joint::kMllama},
    {.types = "glm4v glm4v_moe",
     .gated = true,
     .attention_bias = false,
     .mlp_bias = false,
     .norm_width = 1,
     .outer_norms = 2,
     .patch_bias = true,
     .positions = true,
     .joint = Joint::kGlm},
});

const TowerClass* find_tower(std::string_view type) {
  for (const TowerClass& tower : kTowers) {
    if (!type.empty() &&
        (" " + std::string(tower.types) + " ").find(" " + std::string(type) + " ") != std::string::npos)
      return &tower;
  }
  return nullptr;
}

/// Sizes of one tower, as its part of the file states them.
struct Tower {
  double width = 0;
  double inner = 0;
  double layers = 0;
  double patch = 0;    ///< values of one patch: side² · channels · frames
  double patches = 0;  ///< along one side of the largest image, squared; or as stated
  double head_dim = 0;
  double output = 0;  ///< width of the language model
};

double size(HfFields& vision, HfNames names, double otherwise) {
  return static_cast<double>(vision.count(names, static_cast<std::int64_t>(otherwise)));
}

Tower read_tower(HfFields& vision, double text_width) {
  Tower tower;
  tower.width = size(vision, {"embed_dim", "vt_hidden_size", "hidden_size", "width"}, 0);
  const double ratio = vision.number({"mlp_ratio"}, 4);
  const auto by_ratio = static_cast<double>(ratio > 0 && ratio < 100 ? ratio * static_cast<double>(tower.width) : 0);
  tower.inner = size(vision, {"intermediate_size", "vt_intermediate_size"}, by_ratio);
  tower.layers = size(vision, {"depth", "num_hidden_layers", "vt_num_hidden_layers", "layers"}, 0) +
                 size(vision, {"num_global_layers"}, 0);
  const double side = size(vision, {"patch_size"}, 14);
  tower.patch = side * side * size(vision, {"in_channels", "in_chans", "num_channels"}, 3) *
                size(vision, {"temporal_patch_size"}, 1);
  const double across = side > 0 ? std::floor(size(vision, {"image_size"}, 0) / side) : 0;
  const double grid = size(vision, {"init_pos_emb_height"}, 0) * size(vision, {"init_pos_emb_width"}, 0);
  tower.patches = size(vision, {"num_position_embeddings"}, grid > 0 ? grid : across * across);
  tower.head_dim = size(vision, {"head_dim"}, 0);
  tower.output = size(vision, {"out_hidden_size", "text_hidden_size"}, text_width);
  return tower;
}

double block_parameters(const TowerClass& kind, const Tower& tower) {
  const double width = tower.width;
  // GLM's vision MLP is as wide as its output.
  const double inner = kind.joint == Joint::kGlm ? tower.output : tower.inner;
  const double attention = 4 * width * width + (kind.attention_bias ? 4 * width : 0);
  const double matrices = kind.gated ? 2 : 1;
  const double mlp = (matrices + 1) * width * inner + (kind.mlp_bias ? matrices * inner + width : 0);
  return attention + mlp + kind.block_norms * kind.norm_width * width + (kind.qk_norm ? 2 * tower.head_dim : 0);
}

/// Norm of the joined patches or of one, then joined → joined → output, with biases.
double merger(double joined, double norm, double output) {
  return norm + joined * joined + joined + joined * output + output;
}

double mllama_extras(HfFields& vision, const Tower& tower) {
  const double tiles = size(vision, {"max_num_tiles"}, 4);
  const Value* ratios = vision.find({"supported_aspect_ratios"});
  const double shapes = (ratios != nullptr && ratios->is_list() ? static_cast<double>(ratios->items().size()) : 8) + 1;
  const double places = (tower.patches + 1) * tower.width;
  const double joined = size(vision, {"vision_output_dim"}, 7680);
  return places + 1 + shapes * tiles * places + 2 * (shapes * tiles * tower.width + 1) +
         2 * size(vision, {"num_global_layers"}, 8) + joined * tower.output + tower.output;
}

double glm_extras(const Tower& tower) {
  const double out = tower.output;
  return 4 * tower.width * out + out + out * out + 2 * out + 3 * out * tower.inner;
}

double joint_parameters(const TowerClass& kind, const Tower& tower, HfFields& vision) {
  const double width = tower.width;
  const double out = tower.output;
  const double joined = 4 * width;
  switch (kind.joint) {
    case Joint::kNone: return width * out + out;
    case Joint::kGemma: return width * out + width;
    case Joint::kTwoLayer: return width * out + out + out * out + out;
    case Joint::kPixtral: return width + joined * width + width * out + out * out;
    case Joint::kMerger: {
      const auto deep = static_cast<double>(vision.counts("deepstack_visual_indexes").size());
      return merger(joined, kind.norm_width * width, out) + deep * merger(joined, 2 * joined, out);
    }
    case Joint::kLlama4: {
      const double middle = size(vision, {"projector_input_dim"}, 4096);
      const double last = size(vision, {"projector_output_dim"}, 4096);
      return tower.inner * middle + middle * last + size(vision, {"vision_output_dim"}, 4096) * out;
    }
    case Joint::kMllama: return mllama_extras(vision, tower);
    case Joint::kGlm: return glm_extras(tower);
    case Joint::kGemma4: {
      const double scales = vision.flag({"standardize"}, false) ? 2 * width : 0;
      return width * out + 2 * size(vision, {"position_embedding_size"}, 10240) * width + scales;
    }
  }
  return 0;
}

double tower_parameters(const TowerClass& kind, const Tower& tower, HfFields& vision) {
  const double width = tower.width;
  double sum = tower.layers * block_parameters(kind, tower) + kind.outer_norms * kind.norm_width * width;
  sum += tower.patch * width + (kind.patch_bias ? width : 0);
  if (kind.class_token) sum += width;
  if (kind.positions) sum += (tower.patches + (kind.class_token ? 1 : 0)) * width;
  return sum + joint_parameters(kind, tower, vision);
}

}  // namespace

std::int64_t read_towers(const Value& outer, std::int64_t text_width, HfFields& fields) {
  const Value* type = find_path(outer, "model_type");
  const std::string name = type != nullptr && type->is_scalar() ? type->raw() : "";
  if (name == "fuyu") {
    HfFields whole(outer, outer);
    const std::int64_t side = whole.count({"patch_size"}, 30);
    return side * side * whole.count({"num_channels"}, 3) * text_width + text_width;
  }
  if (const std::int64_t named = named_tower_parameters(name, outer, text_width); named > 0) return named;
  const Value* part = find_path(outer, "vision_config");
  const TowerClass* kind = find_tower(name);
  if (part == nullptr || !part->is_map() || kind == nullptr) return 0;
  HfFields vision(*part, *part);
  const double sum = tower_parameters(*kind, read_tower(vision, static_cast<double>(text_width)), vision);
  if (const auto checked = vision.finish(name); !checked) fields.fail(checked.error());
  // Beyond this nothing is a model, and the count would not fit.
  return sum < 1e15 ? static_cast<std::int64_t>(sum) : 0;
}

}  // namespace headrace::exchange
