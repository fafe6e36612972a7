// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenario/outcome.h"
#include "scenario/scenario.h"
#include "verbs/context.h"

namespace headrace::verbs {

/// One column: a name and the scenario it stands for.
struct Contender {
  std::string name;
  scenario::Scenario scenario;
};

/// The plan's best of each scenario, side by side. One that nothing fits keeps its column.
base::Result<scenario::Comparison> compare(const std::vector<Contender>& contenders, const Context& context);

/// Catalogue entries of one kind (accelerators, platforms or networks) side by side; nothing when the names are not all
/// of one kind.
std::optional<scenario::Comparison> compare_entries(const std::vector<std::string>& names,
                                                    const catalog::Catalog& catalog);

}  // namespace headrace::verbs
