// SPDX-License-Identifier: Apache-2.0
#include "exchange/hf_config.h"

#include <algorithm>
#include <array>

#include "exchange/hf_layers.h"
#include "exchange/hf_quantization.h"

namespace headrace::exchange {
namespace {

using base::Value;
using workload::Architecture;
using workload::LayerKind;

constexpr auto kHidden =
    std::to_array<std::string_view>({"hidden_size", "n_embd", "d_model", "n_embed", "model_dim", "dim"});
constexpr auto kLayers = std::to_array<std::string_view>({"num_hidden_layers", "n_layer", "num_layers", "n_layers"});
constexpr auto kTwinLayers = std::to_array<std::string_view>({"num_layers", "num_hidden_layers"});
constexpr auto kContext =
    std::to_array<std::string_view>({"max_position_embeddings", "n_positions", "seq_length", "max_sequence_length",
                                     "max_seq_len", "n_ctx", "model_max_length"});

bool has_any(const Value& map, HfFields::Names names) {
  return std::ranges::any_of(names, [&](std::string_view name) { return find_path(map, name) != nullptr; });
}

/// The part of the file that describes the language model.
const Value& language_part(const Value& root) {
  if (has_any(root, kHidden) && has_any(root, kLayers)) return root;
  for (const char* key : {"text_config", "llm_config", "language_config", "llm_cfg", "thinker_config.text_config",
                          "language_model_config", "text_model_config"}) {
    const Value* part = find_path(root, key);
    if (part != nullptr && part->is_map()) return *part;
  }
  return root;
}

std::string text_of(const Value& map, std::string_view key) {
  const Value* value = find_path(map, key);
  return value != nullptr && value->is_scalar() ? value->raw() : "";
}

std::vector<std::string> class_names(const Value& root) {
  std::vector<std::string> names;
  const Value* list = find_path(root, "architectures");
  if (list == nullptr || !list->is_list()) return names;
  for (const Value& item : list->items()) {
    if (item.is_scalar()) names.push_back(item.raw());
  }
  return names;
}

/// The row of the table: by class name where that says more than the type, by the type of the language part, by that of
/// the file.
const HfFamily* family_of(const Architecture& model) {
  const std::string first = model.architectures.empty() ? "" : model.architectures.front();
  if (first == "Mamba2ForCausalLM") return find_hf_family(first);
  for (const std::string& name : {model.text_model_type, model.model_type, first}) {
    if (const HfFamily* family = find_hf_family(name)) return family;
  }
  return nullptr;
}

void read_names(const Value& root, const Value& language, Architecture& model) {
  model.name = text_of(root, "_name_or_path");
  model.architectures = class_names(root);
  model.model_type = text_of(root, "model_type");
  model.text_model_type = text_of(language, "model_type");
  if (model.text_model_type.empty()) model.text_model_type = model.model_type;
  model.multimodal = has_any(root, {"vision_config", "audio_config", "visual", "vision_cfg", "vision_tower_cfg",
                                    "mm_vision_tower", "vit_config", "siglip_config", "vision_backbone"}) ||
                     (has_any(root, {"patch_size"}) && has_any(root, {"image_size"}));
}

void read_number_format(HfFields& fields, Architecture& model) {
  const Value* stated = fields.find_anywhere({"torch_dtype", "dtype"});
  if (stated != nullptr && stated->is_scalar() && stated->raw() != "auto") {
    model.stated_dtype = stated->raw();
    if (const auto dtype = base::parse_dtype(stated->raw())) {
      model.stored = *dtype;
      return;
    }
  }
  model.stored = base::Dtype::kBf16;
  model.guesses.emplace_back("hf.guessed_dtype");
}

bool ends_with_any(const std::string& name, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

/// Whether the class has no LM head: bare models, classifiers, reward models. Classes named ...ChatGLMModel carry
/// theirs.
void read_head(HfReading& reading) {
  Architecture& model = reading.model;
  const std::string name = model.architectures.empty() ? "" : model.architectures.front();
  const bool classifies =
      ends_with_any(name, {"ForSequenceClassification", "ForRewardModel", "ForTokenClassification"});
  model.headless =
      reading.family.structure == HfStructure::kEncoder || classifies ||
      (name.ends_with("Model") && name != "ChatGLMModel" && !name.ends_with("LMHeadModel") && !model.multimodal);
  if (classifies && reading.family.structure != HfStructure::kEncoder) {
    const Value* labels = reading.fields.find({"id2label"});
    model.other_parameters +=
        model.hidden * static_cast<std::int64_t>(labels != nullptr && labels->is_map()
                                                     ? std::max<std::size_t>(1, labels->members().size())
                                                     : 1);
  }
  model.head_bias = reading.fields.flag({"lm_head_bias"}, reading.family.biases.head);
}

void read_frame(HfReading& reading) {
  HfFields& fields = reading.fields;
  const HfFamily& family = reading.family;
  Architecture& model = reading.model;
  model.hidden = fields.required(kHidden, family.sizes.hidden);
  model.vocabulary = fields.required(
      {fields.find({"padded_vocab_size"}) != nullptr ? "padded_vocab_size" : "vocab_size", "embedding_size"},
      family.sizes.vocabulary, 100'000'000);
  reading.layers = fields.required(family.structure == HfStructure::kTwin ? HfNames(kTwinLayers) : HfNames(kLayers),
                                   family.sizes.layers);
  model.context_length = fields.count(kContext, 0, 1'000'000'000'000);
  if (family.positions >= 0) {
    model.positions = model.context_length + family.positions;
    if (model.context_length == 0) fields.miss("max_position_embeddings");
  }
  const Value* tied = fields.find_anywhere({"tie_word_embeddings", "weight_tying"});
  model.tied_embeddings = tied != nullptr ? tied->raw() == "true" : family.tied;
  model.embedding_norm = family.embedding_norm;
  model.final_norm = family.norm;
  model.final_norm_bias = family.norm_bias;
  model.active_count = family.active_count;
  model.stated_layers = reading.layers;
  // One layer is read even when their number is missing, so that all missing fields are named at once.
  reading.layers = std::max<std::int64_t>(reading.layers, 1);
  model.stated_experts = fields.count({"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"}, 0);
}

void read_predictors(HfReading& reading) {
  HfFields& fields = reading.fields;
  // Transformers' text-only classes have no prediction block, so what they saved holds none.
  if (reading.model.model_type.ends_with("_text")) return;
  const std::int64_t modules = fields.count({"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_layers"}, 0);
  reading.model.mtp_layers = static_cast<int>(std::min<std::int64_t>(modules, 1000));
  const std::string& type = reading.model.text_model_type;
  const bool shares = type == "nemotron_h" || type == "deepseek_v4" || type == "deepseek_ref" || type == "glm_moe_dsa";
  reading.model.mtp_embeddings = modules > 0 && reading.family.router_bias && !shares;
}

/// Each distinct layer once, and which of them stands where.
void store_layers(const std::vector<LayerKind>& layers, Architecture& model) {
  for (const LayerKind& layer : layers) {
    const auto found = std::ranges::find(model.kinds, layer);
    model.layers.push_back(static_cast<int>(found - model.kinds.begin()));
    if (found == model.kinds.end()) model.kinds.push_back(layer);
  }
}

base::Result<void> refuse_others(const Value& root, const Architecture& model) {
  if (!root.is_map()) return base::input_error(root.place(), "hf.not_a_config", {root.kind_id()});
  if (is_other_kind(model.model_type))
    return base::input_error(find_path(root, "model_type")->place(), "hf.not_a_decoder", {model.model_type});
  return {};
}

}  // namespace

namespace {

base::Result<Architecture> read_model(const Value& root, const Value* quantization) {
  const Value& language = language_part(root);
  Architecture model;
  read_names(root, language, model);
  CHECK_OK(refuse_others(root, model));
  HfFields fields(language, root);
  read_number_format(fields, model);

  static constexpr HfFamily kUnknown{.types = ""};
  const HfFamily* known = family_of(model);
  if (known == nullptr) model.guesses.emplace_back("hf.unknown_type");
  if (known != nullptr && known->structure == HfStructure::kNothing) {
    model.multimodal = true;
    model.guesses.emplace_back("hf.no_language_model");
    return model;
  }
  HfReading reading{fields, known != nullptr ? *known : kUnknown, model};
  read_frame(reading);
  if (reading.layers > 2'000)
    return base::input_error(language.place(), "hf.out_of_range", {std::to_string(reading.layers), "1", "2000"});
  read_head(reading);
  std::vector<LayerKind> layers = read_layers(reading);
  adjust_to_family(reading, layers);
  store_layers(layers, model);
  read_predictors(reading);
  const std::int64_t towers = read_towers(root, model.hidden, fields);
  if (towers == 0 && model.multimodal) model.guesses.emplace_back("hf.tower_not_counted");
  model.other_parameters += towers + read_audio(root, model.hidden, fields);
  read_hf_quantization(root, language, quantization, model);
  CHECK_OK(fields.finish(model.text_model_type.empty() ? "?" : model.text_model_type));
  return model;
}

}  // namespace

base::Result<Architecture> read_hf_config(std::string_view json, const std::string& file) {
  TRY(const Value root, base::read_json(json, file));
  return read_model(root, nullptr);
}

base::Result<Architecture> read_hf_checkpoint(const std::string& path, const base::FileSystem& files) {
  TRY(const std::string json, files.read(path));
  TRY(const Value root, base::read_json(json, path));
  const std::string beside = path.substr(0, path.rfind('/') + 1) + "hf_quant_config.json";
  const auto text = files.read(beside);
  if (!text) return read_model(root, nullptr);
  TRY(const Value quantization, base::read_json(*text, beside));
  return read_model(root, &quantization);
}

}  // namespace headrace::exchange
