// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/machines.h"
#include "verbs/predict_run.h"

namespace headrace::verbs {

/// What a run on one machine costs by the second; looked up once per machine.
struct Stakes {
  std::optional<double> dollars_per_hour;  ///< of one accelerator
  RunInputs inputs;
};
Stakes stakes_of(const PreparedJob& job, const PreparedMachine& machine, const scenario::Scenario& scenario,
                 const catalog::Catalog& catalog);

/// The figures of a candidate by which choices are ranked and limited; unknown ones are empty. Of the whole run, or of
/// one sequence where the scenario doesn't say how many tokens.
struct RunFigures {
  double step = 0;
  double time = 0;
  double gpu_hours = 0;
  double memory = 0;
  double gpus = 0;
  std::optional<double> cost;
  std::optional<double> energy;  ///< J, the site's cooling included
  std::optional<double> drawn;   ///< W at most, the same
};
RunFigures figures_of(const plan::Candidate& candidate, const PreparedJob& job, const PreparedMachine& machine,
                      const Stakes& stakes, const scenario::Scenario& scenario, const catalog::Catalog& catalog);

/// What the goal makes small; unknown money and energy rank last.
double badness(const RunFigures& figures, scenario::Goal goal);

/// The limit that a candidate breaks, if any; what is unknown breaks none.
std::optional<base::Message> broken_limit(const RunFigures& figures, const scenario::Scenario& scenario);

}  // namespace headrace::verbs
