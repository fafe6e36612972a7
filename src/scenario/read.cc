// SPDX-License-Identifier: Apache-2.0
#include "scenario/read.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "scenario/parts.h"

namespace headrace::scenario {
namespace {

constexpr std::array kLaterKinds{"serving", "center", "vision", "video", "analytics"};

/// Only training is built: other kinds that the design names are told apart from typing errors.
base::Result<void> check_kind(const base::Value& workload) {
  const base::Value* kind = workload.find("kind");
  if (!kind) return {};
  TRY(const std::string word, kind->text());
  if (word == "training") return {};
  if (std::find(kLaterKinds.begin(), kLaterKinds.end(), word) != kLaterKinds.end())
    return base::input_error(kind->place(), "scenario.kind_later", {word});
  return base::input_error(kind->place(), "scenario.unknown_kind", {word}, base::nearest_hint(word, {"training"}));
}

base::Result<void> check_version(base::Fields& fields) {
  TRY(const base::Value* value, fields.required("headrace"));
  TRY(const std::int64_t version, value->integer());
  if (version != 1) return base::input_error(value->place(), "scenario.version", {std::to_string(version)});
  return {};
}

/// A mistyped part is told before the part that then seems to be missing.
base::Result<void> check_keys(base::Fields& fields) {
  for (const char* key :
       {"workload", "center", "software", "strategy", "failures", "checkpoint", "money", "search", "objective"})
    std::ignore = fields.optional(key);
  return fields.finish();
}

base::Result<SearchSettings> read_search(const base::Value& value) {
  base::Fields fields(value);
  SearchSettings search;
  TRY(search.prune, fields.boolean_or("prune", true));
  TRY(const std::int64_t top, fields.integer_or("top", 10, {1, 1000}));
  search.top = int(top);
  CHECK_OK(fields.finish());
  return search;
}

base::Result<std::string> read_software(const base::Value& value, const catalog::Catalog& catalog) {
  TRY(const std::string name, value.text());
  TRY(const catalog::Software* software, catalog.software.get(name, value.place()));
  if (software->kind != "training")
    return base::input_error(value.place(), "scenario.software_kind", {software->id, software->kind});
  return software->id;
}

/// What a run meets and costs; each part may be left out.
base::Result<void> read_run(base::Fields& fields, Scenario& scenario) {
  if (const base::Value* failures = fields.optional("failures")) {
    TRY(scenario.failures, read_failures(*failures));
  }
  if (const base::Value* checkpoint = fields.optional("checkpoint")) {
    TRY(scenario.checkpoints, read_checkpoints(*checkpoint));
  }
  if (const base::Value* money = fields.optional("money")) {
    TRY(scenario.money, read_money(*money));
  }
  return {};
}

}  // namespace

base::Result<Scenario> read_scenario(const base::Value& document, catalog::Catalog& catalog) {
  if (!document.is_map()) return base::input_error(document.place(), "scenario.not_a_map", {document.kind_id()});
  base::Fields fields(document);
  Scenario scenario;
  CHECK_OK(check_version(fields));
  TRY(scenario.name, fields.text("name"));
  CHECK_OK(check_keys(fields));
  TRY(const base::Value* workload, fields.required("workload"));
  CHECK_OK(check_kind(*workload));
  TRY(scenario.training, read_training(*workload));
  TRY(const base::Value* center, fields.required("center"));
  TRY(scenario.center, read_center(*center, catalog));
  TRY(const base::Value* software, fields.required("software"));
  TRY(scenario.software, read_software(*software, catalog));
  TRY(const base::Value* strategy, fields.required("strategy"));
  TRY(scenario.strategy, read_strategy(*strategy));
  TRY(const base::Value* search, fields.required("search"));
  TRY(scenario.search, read_search(*search));
  TRY(const base::Value* objective, fields.required("objective"));
  TRY(scenario.objective, read_objective(*objective));
  CHECK_OK(read_run(fields, scenario));
  scenario.resolved = document;
  return scenario;
}

}  // namespace headrace::scenario
