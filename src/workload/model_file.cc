// SPDX-License-Identifier: Apache-2.0
#include "workload/model_file.h"

#include <algorithm>

#include "base/quantity_text.h"
#include "base/value.h"
#include "workload/model_layers.h"

namespace headrace::workload {
namespace {

using base::Fields;
using base::Value;

base::Result<NormKind> norm_kind(const std::string& word, const base::Place& place) {
  if (word == "rms") return NormKind::kRms;
  if (word == "layer") return NormKind::kLayer;
  if (word == "plain") return NormKind::kPlain;
  return base::input_error(place, "model.unknown_norm", {word});
}

base::Result<void> read_frame(Fields& fields, Architecture& model) {
  TRY(model.hidden, fields.integer("hidden", {1, 1'000'000}));
  TRY(model.vocabulary, fields.integer("vocabulary", {1, 10'000'000}));
  TRY(model.context_length, fields.integer_or("context", 0, {0, 1'000'000'000}));
  TRY(model.positions, fields.integer_or("positions", 0, {0, 10'000'000}));
  TRY(model.embedding_width, fields.integer_or("embedding_width", 0, {0, 1'000'000}));
  TRY(model.tied_embeddings, fields.boolean_or("tied", false));
  TRY(model.head_bias, fields.boolean_or("head_bias", false));
  TRY(model.embedding_norm, fields.boolean_or("embedding_norm", false));
  TRY(const std::string norm, fields.text_or("norm", "rms"));
  TRY(model.final_norm, norm_kind(norm, fields.place()));
  TRY(model.final_norm_bias, fields.boolean_or("norm_bias", false));
  TRY(const std::int64_t mtp, fields.integer_or("mtp_layers", 0, {0, 100}));
  model.mtp_layers = static_cast<int>(mtp);
  TRY(model.other_parameters, fields.integer_or("other_parameters", 0, {0, 1'000'000'000'000}));
  return {};
}

void store_layers(const std::vector<LayerKind>& layers, Architecture& model) {
  for (const LayerKind& layer : layers) {
    const auto found = std::ranges::find(model.kinds, layer);
    model.layers.push_back(static_cast<int>(found - model.kinds.begin()));
    if (found == model.kinds.end()) model.kinds.push_back(layer);
  }
  model.stated_layers = static_cast<std::int64_t>(layers.size());
  for (const LayerKind& kind : model.kinds)
    model.stated_experts = std::max(model.stated_experts, kind.feed_forward.experts);
}

base::Result<Model> read_one(const std::string& id, const Value& value) {
  Fields fields(value);
  Model model;
  model.id = id;
  TRY(model.aliases, fields.texts("aliases"));
  TRY(model.sources, fields.texts("sources"));
  if (model.sources.empty()) return base::input_error(value.place(), "model.no_source", {id});
  TRY(model.stated, fields.text_or("stated", ""));
  // A printed count reads as tokens do: 70.6B, 124M, 1.04T.
  if (const Value* stated = fields.optional("stated")) {
    TRY(model.stated_parameters, base::parse_quantity(*stated, base::Measure::kTokens));
  }
  Architecture& architecture = model.architecture;
  TRY(architecture.name, fields.text_or("name", id));
  TRY(architecture.model_type, fields.text_or("type", ""));
  architecture.text_model_type = architecture.model_type;
  CHECK_OK(read_frame(fields, architecture));
  TRY(const auto layers, read_model_layers(fields, architecture));
  CHECK_OK(fields.finish());
  store_layers(layers, architecture);
  architecture.stated_dtype = "bfloat16";
  return model;
}

/// The family's members, then the model's own over them.
Value merged(const Value* family, const Value& own) {
  if (family == nullptr || !own.is_map()) return own;
  std::vector<Value::Member> members = family->members();
  Value value = Value::map(own.place(), std::move(members));
  for (const Value::Member& member : own.members()) value.set(member.key, member.value);
  return value;
}

}  // namespace

base::Result<std::vector<Model>> read_models(std::string_view yaml, const std::string& file) {
  TRY(const Value root, base::read_yaml(yaml, file));
  Fields fields(root);
  const Value* family = fields.optional("family");
  TRY(const Value* models, fields.required("models"));
  CHECK_OK(fields.finish());
  if (family != nullptr && !family->is_map())
    return base::input_error(family->place(), "model.not_a_map", {family->kind_id()});
  if (!models->is_map()) return base::input_error(models->place(), "model.not_a_map", {models->kind_id()});
  std::vector<Model> all;
  for (const Value::Member& member : models->members()) {
    TRY(Model model, read_one(member.key, merged(family, member.value)));
    all.push_back(std::move(model));
  }
  return all;
}

base::Result<Model> read_model(std::string_view yaml, const std::string& file) {
  TRY(auto all, read_models(yaml, file));
  if (all.size() != 1) return base::input_error({file, 1, 1}, "model.not_one", {std::to_string(all.size())});
  return std::move(all.front());
}

}  // namespace headrace::workload
