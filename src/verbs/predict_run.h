// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "training/run.h"
#include "verbs/money.h"

namespace headrace::verbs {

/// What a run on a machine meets beside its steps, each with its range; the same for every strategy.
struct RunInputs {
  base::Estimate failures;   ///< per second, of all machines together
  base::Estimate detection;  ///< s
  base::Estimate restart;    ///< s
  base::Estimate bandwidth;  ///< bytes/s into storage
  base::Estimate blocked;    ///< share of a write that the steps wait for
  double checkpoint_bytes = 0;
};
RunInputs run_inputs(const PreparedJob& job, const PreparedMachine& machine, const scenario::Scenario& scenario,
                     const catalog::Catalog& catalog);

/// Effective training time ratio at the inputs' values, for a run of `work` seconds of steps.
double usual_ratio(const RunInputs& inputs, const scenario::Checkpoints& checkpoints, double work);

/// The whole run beside its step, which is there already: goodput, failures, checkpoints, and, where the scenario says
/// how many tokens, days, accelerator-hours, energy, money. What is unknown stays empty. Intervals are the 10th and
/// 90th percentiles of a Monte Carlo over the inputs, reproducible by `seed`.
void predict_run(scenario::TrainingOutcome& out, const PreparedJob& job, const PreparedMachine& machine,
                 const scenario::Scenario& scenario, const catalog::Catalog& catalog, std::uint64_t seed = 0);

}  // namespace headrace::verbs
