// SPDX-License-Identifier: Apache-2.0
#include "judge/training_facts.h"

#include <algorithm>

#include "base/embedded.h"
#include "base/value.h"

namespace headrace::judge {

namespace {

constexpr const char* kFile = "evidence/training_facts.yaml";

template <typename Entry, typename Read>
base::Result<std::vector<Entry>> read_list(base::Fields& fields, const char* key, Read read) {
  std::vector<Entry> entries;
  TRY(const base::Value* list, fields.required(key));
  for (const auto& item : list->items()) {
    base::Fields members(item);
    TRY(auto entry, read(members));
    CHECK_OK(members.finish());
    entries.push_back(std::move(entry));
  }
  return entries;
}

base::Result<TrainingFacts::Framework> read_framework(base::Fields& fields) {
  TrainingFacts::Framework entry;
  TRY(entry.words, fields.texts("words"));
  TRY(entry.until, fields.number_or("until", entry.until, {1990, 9999}));
  TRY(entry.software, fields.text_or("software", ""));
  TRY(entry.data_parallel, fields.text_or("data_parallel", ""));
  TRY(const std::string further, fields.text_or("prediction_blocks", ""));
  entry.predicts_further = further != "none";
  return entry;
}

base::Result<TrainingFacts::Source> read_platform(base::Fields& fields) {
  TrainingFacts::Source entry;
  TRY(entry.source, fields.text_or("source", ""));
  TRY(entry.accelerators, fields.texts("accelerators"));
  TRY(entry.platform, fields.text("platform"));
  TRY(const std::string where, fields.text("where"));
  return entry;
}

base::Result<TrainingFacts::Board> read_board(base::Fields& fields) {
  TrainingFacts::Board entry;
  TRY(entry.source, fields.text("source"));
  TRY(entry.says, fields.text("says"));
  TRY(entry.accelerator, fields.text("accelerator"));
  TRY(const std::string where, fields.text("where"));
  return entry;
}

base::Result<TrainingFacts::Precision> read_precision(base::Fields& fields) {
  TrainingFacts::Precision entry;
  TRY(entry.source, fields.text("source"));
  TRY(entry.precision, fields.text("precision"));
  TRY(const std::string where, fields.text("where"));
  return entry;
}

base::Result<TrainingFacts::Model> read_model(base::Fields& fields) {
  TrainingFacts::Model entry;
  TRY(entry.says, fields.text("says"));
  TRY(entry.vocabulary, fields.number("vocabulary", {1, 1e7}));
  TRY(const std::string where, fields.text("where"));
  return entry;
}

base::Result<TrainingFacts::Switched> read_switched(base::Fields& fields) {
  TrainingFacts::Switched entry;
  TRY(entry.source, fields.text("source"));
  TRY(entry.rows, fields.texts("rows"));
  TRY(const auto off, fields.texts("off"));
  const auto is_off = [&](const char* what) { return std::find(off.begin(), off.end(), what) != off.end(); };
  entry.tensor = !is_off("tensor");
  entry.gradients = !is_off("gradients");
  entry.parameters = !is_off("parameters");
  entry.compiled = !is_off("compiled");
  TRY(const std::string where, fields.text("where"));
  return entry;
}

base::Result<TrainingFacts::Phrase> read_phrase(base::Fields& fields) {
  TrainingFacts::Phrase entry;
  TRY(entry.says, fields.text("says"));
  TRY(entry.recompute, fields.text_or("recompute", ""));
  TRY(entry.gradients, fields.text_or("gradients", ""));
  TRY(entry.data_parallel, fields.text_or("data_parallel", ""));
  TRY(entry.optimizer, fields.text_or("optimizer", ""));
  TRY(entry.routing, fields.text_or("routing", ""));
  TRY(entry.model, fields.text_or("model", ""));
  TRY(entry.dispatch, fields.text_or("dispatch", ""));
  TRY(const std::string hides, fields.text_or("expert_transfers", ""));
  TRY(const std::string graphs, fields.text_or("graphs", ""));
  entry.captures_graphs = graphs == "captured";
  entry.hides_dispatch = hides == "hidden";
  TRY(const std::string attention, fields.text_or("attention", ""));
  if (attention == "flash2") entry.attention = catalog::AttentionKernel::kFlash2;
  if (attention == "flash3") entry.attention = catalog::AttentionKernel::kFlash3;
  return entry;
}

}  // namespace

const TrainingFacts::Framework* TrainingFacts::framework(const TrainingRow& row) const {
  for (const auto& entry : frameworks) {
    const bool said = std::all_of(entry.words.begin(), entry.words.end(), [&](const std::string& word) {
      return row.framework.find(word) != std::string::npos;
    });
    if (said && row.year.value_or(9999) <= entry.until) return &entry;
  }
  return nullptr;
}

std::string TrainingFacts::accelerator(const TrainingRow& row) const {
  for (const auto& board : boards)
    if (board.source == row.source && board.says == row.accelerator) return board.accelerator;
  return row.accelerator;
}

std::string TrainingFacts::precision(const TrainingRow& row) const {
  if (!row.precision.empty()) return row.precision;
  const auto found = std::find_if(precisions.begin(), precisions.end(),
                                  [&](const Precision& entry) { return entry.source == row.source; });
  return found == precisions.end() ? "" : found->precision;
}

std::optional<double> TrainingFacts::vocabulary(const TrainingRow& row) const {
  if (row.vocabulary) return row.vocabulary;
  for (const auto& model : models)
    if (row.model.find(model.says) != std::string::npos) return model.vocabulary;
  return std::nullopt;
}

const TrainingFacts::Source* TrainingFacts::platform(const std::string& source, const std::string& accelerator) const {
  for (const auto& entry : platforms) {
    if (!entry.source.empty() && entry.source != source) continue;
    const auto& ids = entry.accelerators;
    if (ids.empty() || std::find(ids.begin(), ids.end(), accelerator) != ids.end()) return &entry;
  }
  return nullptr;
}

TrainingFacts::Switched TrainingFacts::left_on(const TrainingRow& row) const {
  const auto found = std::find_if(switched.begin(), switched.end(), [&](const Switched& entry) {
    const auto& ids = entry.rows;
    return entry.source == row.source && (ids.empty() || std::find(ids.begin(), ids.end(), row.id) != ids.end());
  });
  return found == switched.end() ? Switched{} : *found;
}

base::Result<TrainingFacts> read_training_facts(std::string_view yaml, const std::string& file) {
  TRY(const base::Value document, base::read_yaml(yaml, file));
  base::Fields fields(document);
  TrainingFacts facts;
  TRY(facts.frameworks, read_list<TrainingFacts::Framework>(fields, "frameworks", read_framework));
  TRY(facts.precisions, read_list<TrainingFacts::Precision>(fields, "precisions", read_precision));
  TRY(facts.boards, read_list<TrainingFacts::Board>(fields, "boards", read_board));
  TRY(facts.models, read_list<TrainingFacts::Model>(fields, "models", read_model));
  TRY(facts.platforms, read_list<TrainingFacts::Source>(fields, "platforms", read_platform));
  TRY(facts.phrases, read_list<TrainingFacts::Phrase>(fields, "phrases", read_phrase));
  TRY(facts.switched, read_list<TrainingFacts::Switched>(fields, "switched", read_switched));
  TRY(facts.interleaved_sources, fields.texts("interleaved_sources"));
  TRY(facts.partial_models, fields.texts("partial_models"));
  TRY(facts.plain_families, fields.texts("plain_families"));
  TRY(const base::Value* excluded, fields.required("excluded"));
  for (const auto& member : excluded->members()) {
    TRY(facts.excluded[member.key], member.value.text());
  }
  CHECK_OK(fields.finish());
  return facts;
}

base::Result<TrainingFacts> load_training_facts() { return read_training_facts(base::embedded_text(kFile), kFile); }

}  // namespace headrace::judge
