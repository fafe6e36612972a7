// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "scenario/scenario.h"

namespace headrace::scenario {

/// A value and the word that scenarios and outcomes write for it.
template <typename T>
struct Named {
  std::string_view name;
  T value;
};

std::span<const Named<DataParallel>> data_parallel_names();
std::span<const Named<Recompute>> recompute_names();
std::span<const Named<Schedule>> schedule_names();
std::span<const Named<ContextKind>> context_kind_names();
std::span<const Named<Optimizer>> optimizer_names();
std::span<const Named<FineTuning>> fine_tuning_names();
std::span<const Named<Goal>> goal_names();

/// The word for a value; the first when there are several.
template <typename T>
std::string_view name_of(std::span<const Named<T>> names, T value) {
  for (const auto& named : names) {
    if (named.value == value) return named.name;
  }
  return {};
}

inline std::string_view name_of(DataParallel value) { return name_of(data_parallel_names(), value); }
inline std::string_view name_of(Recompute value) { return name_of(recompute_names(), value); }
inline std::string_view name_of(Schedule value) { return name_of(schedule_names(), value); }
inline std::string_view name_of(ContextKind value) { return name_of(context_kind_names(), value); }
inline std::string_view name_of(Optimizer value) { return name_of(optimizer_names(), value); }
inline std::string_view name_of(FineTuning value) { return name_of(fine_tuning_names(), value); }
inline std::string_view name_of(Goal value) { return name_of(goal_names(), value); }

}  // namespace headrace::scenario
