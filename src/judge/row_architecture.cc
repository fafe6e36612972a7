// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "catalog/catalog.h"
#include "judge/training_case.h"
#include "workload/model_file.h"
#include "workload/parameters.h"

namespace headrace::judge {

namespace {

using workload::Architecture;

std::int64_t whole(const std::optional<double>& value, double otherwise = 0) {
  return std::llround(value.value_or(otherwise));
}

bool named_among(const TrainingRow& row, const std::vector<std::string>& words) {
  const std::string name = catalog::fold_name(row.model);
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return name.find(word) != std::string::npos; });
}

workload::LayerKind layer_of(const TrainingRow& row, bool gated) {
  workload::LayerKind kind;
  const std::int64_t heads = whole(row.heads);
  kind.mixer.heads = heads;
  kind.mixer.kv_heads = whole(row.kv_heads, static_cast<double>(heads));
  kind.mixer.head_dim = kind.mixer.value_dim = whole(row.hidden) / heads;
  kind.mixer.rotary = gated;
  kind.mixer.qkv_bias = kind.mixer.output_bias = !gated;
  kind.norm = gated ? workload::NormKind::kRms : workload::NormKind::kLayer;
  kind.norm_bias = !gated;
  auto& mlp = kind.feed_forward;
  mlp.gated = gated;
  mlp.bias = !gated;
  const std::int64_t width = whole(row.ffn, 4 * row.hidden.value_or(0));
  if (row.experts.value_or(0) > 1) {
    mlp.experts = whole(row.experts);
    mlp.experts_per_token = whole(row.experts_per_token, 1);
    mlp.expert_hidden = width;
  } else {
    mlp.hidden = width;
  }
  return kind;
}

Architecture build(const TrainingRow& row, const std::optional<double>& vocabulary, bool gated, bool tied) {
  Architecture model;
  model.name = row.model;
  model.hidden = whole(row.hidden);
  // The vocabulary of GPT-2, padded for tensor parallelism, is what GPT-like rows without one ran with.
  model.vocabulary = whole(vocabulary, 51200);
  model.tied_embeddings = tied;
  model.final_norm = gated ? workload::NormKind::kRms : workload::NormKind::kLayer;
  model.kinds = {layer_of(row, gated)};
  model.layers.assign(static_cast<std::size_t>(whole(row.layers)), 0);
  return model;
}

/// How far a model's size is from the stated one.
double distance(const Architecture& model, double billions) {
  return std::abs(std::log(workload::parameters(model).total / (billions * 1e9)));
}

}  // namespace

namespace {

/// The public architecture of a model of this name, where the catalogue has it and the row does not contradict it.
const Architecture* public_architecture(const TrainingRow& row, PublicModels& models) {
  const auto* found = models.find(row.model);
  if (found == nullptr) return nullptr;
  const bool same_depth = !row.layers || std::llround(*row.layers) == static_cast<long long>(found->layers.size());
  const bool same_width = !row.hidden || std::llround(*row.hidden) == found->hidden;
  return same_depth && same_width ? found : nullptr;
}

/// The first column that a decoder cannot be built without, as a reason.
std::optional<std::string> missing_column(const TrainingRow& row, const TrainingFacts& facts) {
  const bool plain = named_among(row, facts.plain_families);
  if (named_among(row, facts.partial_models)) return "skip.columns_hold_part_of_model";
  if (!row.layers || !row.hidden) return "skip.no_model_shape";
  if (!row.heads || *row.heads < 1) return "skip.no_heads";
  if (!row.ffn && !plain) return "skip.no_ffn_width";
  if (!facts.vocabulary(row) && !plain) return "skip.no_vocabulary";
  return std::nullopt;
}

}  // namespace

const Architecture* PublicModels::find(const std::string& name) {
  const auto [place, is_new] = known_.try_emplace(name);
  if (is_new) {
    // What stands in parentheses says how it was trained: "DeepSeekV3 (dropless)".
    const auto plain = name.substr(0, name.find(" ("));
    if (auto model = workload::built_in_model(plain, {})) place->second = std::move(model->architecture);
  }
  return place->second ? &*place->second : nullptr;
}

tl::expected<Architecture, std::string> architecture_of(const TrainingRow& row, const TrainingFacts& facts,
                                                        PublicModels& models) {
  if (const auto reason = missing_column(row, facts)) {
    if (const auto* model = public_architecture(row, models)) return *model;
    return skip(*reason);
  }
  const auto vocabulary = facts.vocabulary(row);
  const bool plain = named_among(row, facts.plain_families);
  Architecture best = build(row, vocabulary, !plain, plain);
  if (!row.parameters) return best;
  // Nominal sizes are rounded: another form must explain the count clearly better than the family's usual one.
  for (const bool gated : {true, false}) {
    for (const bool tied : {true, false}) {
      const auto other = build(row, vocabulary, gated, tied);
      if (distance(other, *row.parameters) + 0.03 < distance(best, *row.parameters)) best = other;
    }
  }
  return best;
}

}  // namespace headrace::judge
