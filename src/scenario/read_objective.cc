// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "scenario/parts.h"

namespace headrace::scenario {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

/// One limit: `memory_headroom >= 5 %`, `time_to_train <= 60 days`, `cost <= 3 M$`.
base::Result<void> read_limit(const base::Value& value, Objective& objective) {
  TRY(const std::string text, value.text());
  const bool at_least = text.find(">=") != std::string::npos;
  const std::size_t sign = text.find(at_least ? ">=" : "<=");
  if (sign == std::string::npos) return base::input_error(value.place(), "scenario.limit_form", {text});
  const std::string name = trimmed(std::string_view(text).substr(0, sign));
  const std::string amount = trimmed(std::string_view(text).substr(sign + 2));
  const auto wrong_way = [&] {
    return base::input_error(value.place(), "scenario.limit_sign", {name, at_least ? "<=" : ">="});
  };
  if (name == "memory_headroom") {
    if (!at_least) return wrong_way();
    TRY(objective.memory_headroom, base::parse_quantity(amount, base::Measure::kFraction, value.place()));
    if (objective.memory_headroom >= 1) return base::input_error(value.place(), "scenario.headroom_range", {amount});
    return {};
  }
  if (name == "time_to_train" || name == "cost") {
    if (at_least) return wrong_way();
    TRY(const double limit,
        base::parse_quantity(amount, name == "cost" ? base::Measure::kMoney : base::Measure::kTime, value.place()));
    if (name == "cost") {
      objective.cost_limit = base::Dollars(limit);
    } else {
      objective.time_limit = base::Seconds(limit);
    }
    return {};
  }
  return base::input_error(value.place(), "scenario.unknown_limit", {name},
                           base::nearest_hint(name, {"memory_headroom", "time_to_train", "cost"}));
}

}  // namespace

base::Result<Objective> read_objective(const base::Value& value) {
  base::Fields fields(value);
  Objective objective;
  TRY(const base::Value* minimize, fields.required("minimize"));
  TRY(objective.minimize, read_word(*minimize, goal_names()));
  if (const base::Value* limits = fields.optional("subject_to")) {
    if (limits->is_scalar()) {
      CHECK_OK(read_limit(*limits, objective));
    } else if (limits->is_list()) {
      for (const base::Value& limit : limits->items()) {
        CHECK_OK(read_limit(limit, objective));
      }
    } else {
      return base::input_error(limits->place(), "scenario.limits_kind", {limits->kind_id()});
    }
  }
  CHECK_OK(fields.finish());
  return objective;
}

}  // namespace headrace::scenario
