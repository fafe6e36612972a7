// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/layouts.h"
#include "plan/machines.h"
#include "verbs/predict.h"

namespace headrace::verbs {

/// What a search over every centre that a scenario allows found.
struct Chosen {
  std::vector<PreparedMachine> machines;     ///< those that were searched; Candidate::machine counts them
  std::vector<plan::Candidate> best;         ///< within all limits, best first by the objective
  std::vector<plan::Layout> layouts;         ///< the same ranking by distinct layouts
  std::vector<plan::Candidate> pareto;       ///< no other is as fast, as small and as cheap
  std::vector<plan::Candidate> nearest;      ///< when nothing fits: what needs least memory
  std::vector<base::Message> broken_limits;  ///< limits that kept fitting choices out, each once
  scenario::SearchOutcome search;

  [[nodiscard]] const PreparedMachine& machine_of(const plan::Candidate& candidate) const {
    return machines[std::size_t(candidate.machine)];
  }
};

/// Searches strategies on every platform and size that the scenario leaves open. A scenario that allows no legal
/// strategy is an error that says why.
base::Result<Chosen> choose(const PreparedJob& job, const scenario::Scenario& scenario, const Context& context);

/// The search space that a scenario's strategy spans.
plan::Space space_of(const scenario::Scenario& scenario);

/// How to search one machine.
plan::Options options_of(const PreparedMachine& machine, const scenario::Scenario& scenario, const Context& context);

}  // namespace headrace::verbs
