// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenario/outcome.h"
#include "verbs/context.h"

namespace headrace::verbs {

/// Searches the choices that a scenario leaves open and ranks what fits.
base::Result<scenario::Outcome> plan(const scenario::Scenario& scenario, const Context& context);

/// One fully chosen configuration in detail; keys left open take the plan's best, and a warning says which.
base::Result<scenario::Outcome> simulate(const scenario::Scenario& scenario, const Context& context);

/// From the hardware's peak down to what the simulated configuration achieves, loss by loss.
base::Result<scenario::Outcome> explain(const scenario::Scenario& scenario, const Context& context);

}  // namespace headrace::verbs
