// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/document_text.h"
#include "scenario/parts.h"

namespace headrace::scenario {
namespace {

std::vector<std::string> limit_names() {
  return {"memory_headroom", "time_to_train", "step_time", "cost", "energy", "gpu_hours"};
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

/// The most that something may take: `time_to_train`, `step_time`, `cost`, `energy`, `gpu_hours`.
base::Result<void> read_ceiling(const std::string& name, const std::string& amount, const base::Place& place,
                                Objective& objective) {
  if (name == "time_to_train" || name == "step_time") {
    TRY(const double limit, base::parse_quantity(amount, base::Measure::kTime, place));
    (name == "step_time" ? objective.step_limit : objective.time_limit) = base::Seconds(limit);
  } else if (name == "cost") {
    TRY(const double limit, base::parse_quantity(amount, base::Measure::kMoney, place));
    objective.cost_limit = base::Dollars(limit);
  } else if (name == "energy") {
    TRY(const double limit, base::parse_quantity(amount, base::Measure::kEnergy, place));
    objective.energy_limit = base::Joules(limit);
  } else if (name == "gpu_hours") {
    const auto limit = base::read_number(amount);
    if (!limit) return base::input_error(place, "scenario.limit_number", {name, amount});
    objective.gpu_hours_limit = limit;
  }
  return {};
}

/// One limit: `memory_headroom >= 5 %`, `time_to_train <= 60 days`, `cost <= 3 M$`.
base::Result<void> read_limit(const base::Value& value, Objective& objective) {
  TRY(const std::string text, value.text());
  const bool at_least = text.find(">=") != std::string::npos;
  const std::size_t sign = text.find(at_least ? ">=" : "<=");
  if (sign == std::string::npos) return base::input_error(value.place(), "scenario.limit_form", {text});
  const std::string name = trimmed(std::string_view(text).substr(0, sign));
  const std::string amount = trimmed(std::string_view(text).substr(sign + 2));
  const std::vector<std::string> names = limit_names();
  if (std::find(names.begin(), names.end(), name) == names.end())
    return base::input_error(value.place(), "scenario.unknown_limit", {name}, base::nearest_hint(name, names));
  const auto wrong_way = [&] {
    return base::input_error(value.place(), "scenario.limit_sign", {name, at_least ? "<=" : ">="});
  };
  if (name == "memory_headroom") {
    if (!at_least) return wrong_way();
    TRY(objective.memory_headroom, base::parse_quantity(amount, base::Measure::kFraction, value.place()));
    if (objective.memory_headroom >= 1) return base::input_error(value.place(), "scenario.headroom_range", {amount});
    return {};
  }
  if (at_least) return wrong_way();
  return read_ceiling(name, amount, value.place(), objective);
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
