// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verbs/choose.h"

namespace headrace::verbs {

/// The single changes that make something fit on a machine on which nothing does, the least first. Each was searched,
/// so what it promises is predicted.
base::Result<std::vector<scenario::Change>> nearest_changes(const PreparedJob& job, const PreparedMachine& machine,
                                                            const scenario::Scenario& scenario, const Context& context);

}  // namespace headrace::verbs
