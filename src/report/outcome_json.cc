// SPDX-License-Identifier: Apache-2.0
#include "report/outcome_json.h"

#include "report/json_parts.h"

namespace headrace::report {
namespace {

using base::JsonWriter;
using scenario::Outcome;
using scenario::TrainingOutcome;

void write_choices(JsonWriter& json, const char* key, const std::vector<TrainingOutcome>& choices, bool with_ties,
                   bool with_variants = false) {
  json.key(key).begin_array();
  for (const TrainingOutcome& choice : choices) {
    json.begin_object();
    write_training(json, choice);
    if (with_ties) {
      json.key("ties").begin_array();
      for (const int tie : choice.ties) json.integer(tie);
      json.end_array();
    }
    if (with_variants) json.member("variants", choice.variants);
    json.end_object();
  }
  json.end_array();
}

void write_search(JsonWriter& json, const scenario::SearchOutcome& search) {
  json.key("search").begin_object();
  json.member("space", search.space).member("evaluated", search.evaluated).member("pruned", search.pruned);
  json.member("fitting", search.fitting).member("seconds", search.seconds).member("exhaustive", search.exhaustive);
  json.end_object();
}

void write_changes(JsonWriter& json, const std::vector<scenario::Change>& changes, const Language& language) {
  json.key("nearest").begin_array();
  for (const scenario::Change& change : changes) {
    json.begin_object().member("text", language.say(change.what)).member("set", change.set).key("then").begin_object();
    write_training(json, change.then);
    json.end_object().end_object();
  }
  json.end_array();
}

/// What is in one outcome, into an open object.
void write_outcome(JsonWriter& json, const Outcome& outcome, const Language& language) {
  json.member("headrace", 1).member("verb", outcome.verb);
  json.key("scenario");
  write_value(json, outcome.scenario.resolved);
  json.member("seed", std::int64_t(outcome.seed)).member("feasible", outcome.feasible);
  json.key("model").begin_object().member("name", outcome.model_name);
  json.member("parameters", outcome.parameters).member("active_parameters", outcome.active_parameters).end_object();
  if (outcome.training) write_training(json, *outcome.training);
  if (outcome.waterfall) {
    json.key("waterfall");
    write_waterfall(json, *outcome.waterfall);
  }
  if (outcome.search) {
    write_choices(json, "choices", outcome.choices, true);
    write_choices(json, "layouts", outcome.layouts, true, true);
    write_choices(json, "pareto", outcome.pareto, false);
    write_search(json, *outcome.search);
    write_changes(json, outcome.nearest, language);
  }
  write_warnings(json, outcome.warnings, language);
  write_provenance(json, outcome.provenance);
}

}  // namespace

std::string outcome_json(const Outcome& outcome, const Language& language) {
  JsonWriter json;
  json.begin_object();
  write_outcome(json, outcome, language);
  json.end_object();
  return json.take();
}

std::string operator_json(const scenario::OperatorOutcome& outcome, const Language& language) {
  JsonWriter json;
  json.begin_object().member("headrace", 1).member("verb", "explain");
  json.member("op", outcome.op).member("accelerator", outcome.accelerator).member("feasible", true);
  write_estimate(json, "time", outcome.time);
  write_estimate(json, "tflops", outcome.tflops);
  json.member("flops", outcome.flops).member("bytes", outcome.bytes);
  json.member("intensity", outcome.intensity).member("ridge", outcome.ridge);
  json.key("waterfall");
  write_waterfall(json, outcome.waterfall);
  write_warnings(json, outcome.warnings, language);
  write_provenance(json, outcome.provenance);
  json.end_object();
  return json.take();
}

std::string comparison_json(const scenario::Comparison& comparison, const Language& language) {
  JsonWriter json;
  json.begin_object().member("headrace", 1).member("verb", "compare");
  bool feasible = true;
  for (const Outcome& outcome : comparison.outcomes) feasible = feasible && outcome.feasible;
  json.member("feasible", feasible);
  json.key("columns").begin_array();
  for (std::size_t i = 0; i < comparison.names.size(); ++i) {
    json.begin_object().member("name", comparison.names[i]);
    if (!comparison.facts.empty()) {
      json.key("facts").begin_object();
      for (const auto& [label, text] : comparison.facts[i].facts) {
        const bool known = text != "fact.unknown" && text != "fact.none";
        json.key(last_word(label));
        known ? json.text(text) : json.null();
      }
      json.end_object();
    } else {
      json.key("outcome").begin_object();
      write_outcome(json, comparison.outcomes[i], language);
      json.end_object();
    }
    json.end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace headrace::report
