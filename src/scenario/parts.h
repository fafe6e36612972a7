// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/quantity_text.h"
#include "base/result.h"
#include "base/value.h"
#include "catalog/catalog.h"
#include "scenario/names.h"
#include "scenario/scenario.h"

/// The readers of a scenario's parts, for read.cc alone.
namespace headrace::scenario {

base::Result<Center> read_center(const base::Value& value, catalog::Catalog& catalog);
base::Result<Training> read_training(const base::Value& value);
base::Result<StrategyChoices> read_strategy(const base::Value& value);
base::Result<Objective> read_objective(const base::Value& value);
base::Result<Failures> read_failures(const base::Value& value);
base::Result<Checkpoints> read_checkpoints(const base::Value& value);
base::Result<Money> read_money(const base::Value& value);
/// A write bandwidth, alone or in a map.
base::Result<base::BytesPerSecond> read_storage(const base::Value& value);

/// An accelerator or platform described in place, put into the catalogue; the id under which it is found.
base::Result<std::string> inline_platform(const base::Value& value, catalog::Catalog& catalog);
base::Result<std::string> inline_network(const base::Value& value, catalog::Catalog& catalog);

/// One of a list of words, or an error that offers the nearest.
template <typename T>
base::Result<T> read_word(const base::Value& value, std::span<const Named<T>> names) {
  TRY(const std::string word, value.text());
  std::vector<std::string> known;
  for (const auto& named : names) {
    if (named.name == word) return named.value;
    known.emplace_back(named.name);
  }
  std::string all;
  for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
  return base::input_error(value.place(), "scenario.unknown_word", {word, all}, base::nearest_hint(word, known));
}

/// A quantity that may be absent.
template <typename Q>
base::Result<void> read_quantity(base::Fields& fields, const std::string& key, base::Measure measure,
                                 std::optional<Q>& out) {
  const base::Value* value = fields.optional(key);
  if (!value) return {};
  TRY(const double number, base::parse_quantity(*value, measure));
  out = Q(number);
  return {};
}

}  // namespace headrace::scenario
