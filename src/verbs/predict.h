// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "training/memory.h"
#include "training/step.h"
#include "verbs/prepare.h"

namespace headrace::verbs {

/// Step time and memory of one strategy, as the search computes them, with every part.
struct Timed {
  training::StepTime step;
  std::vector<training::Memory> stages;  ///< by pipeline rank

  [[nodiscard]] const training::Memory& fullest() const;
};
Timed time_strategy(const training::Job& job, const training::Machine& machine, const scenario::Strategy& strategy);

/// The parts of a step under the names by which they are told, in s.
base::Breakdown breakdown_of(const training::StepTime& step);

/// Everything that is predicted of one strategy, as estimates with their intervals; `seed` is that of the run's Monte
/// Carlo.
scenario::TrainingOutcome predict(const PreparedJob& job, const PreparedMachine& machine,
                                  const scenario::Strategy& strategy, const scenario::Scenario& scenario,
                                  const catalog::Catalog& catalog, std::uint64_t seed = 0);

/// FLOPs that the hardware executes per step, recomputation included, over all accelerators.
double hardware_flops(const training::Job& job, const scenario::Strategy& strategy);

/// The dense data-sheet peak in the precision of a job, FLOP/s; 0 when unknown.
double data_sheet_peak(const PreparedMachine& machine, const training::Job& job);

}  // namespace headrace::verbs
