// SPDX-License-Identifier: Apache-2.0
#include "verbs/waterfall.h"

#include <algorithm>
#include <utility>

namespace headrace::verbs {

std::optional<scenario::Waterfall> waterfall_of(const PreparedJob& job, const PreparedMachine& machine,
                                                const scenario::TrainingOutcome& outcome) {
  scenario::Waterfall waterfall;
  waterfall.peak = data_sheet_peak(machine, job.job);
  if (waterfall.peak <= 0) return std::nullopt;
  const double flops = training::model_flops(job.job, outcome.strategy, false) / double(outcome.accelerators);
  const double total = outcome.step_time.value;
  waterfall.achieved = flops / total;

  // The step at the peak holds nothing but model FLOPs; what the matrix kernels take beyond it is their own loss, the
  // other parts are pure loss.
  const double ideal = flops / waterfall.peak;
  std::vector<scenario::WaterfallStep> losses;
  for (const base::Share& part : outcome.breakdown.parts) {
    const bool matrix = part.name == "part.tensor";
    const double lost = matrix ? part.value - ideal : part.value;
    if (lost > 0 || (matrix && lost < 0)) losses.push_back({matrix ? "part.tensor_below_peak" : part.name, lost, 0});
  }
  std::sort(losses.begin(), losses.end(),
            [](const auto& a, const auto& b) { return std::pair(-a.seconds, a.name) < std::pair(-b.seconds, b.name); });
  double spent = ideal;
  for (scenario::WaterfallStep& loss : losses) {
    spent += loss.seconds;
    loss.remaining = flops / spent;
  }
  waterfall.steps = std::move(losses);
  return waterfall;
}

}  // namespace headrace::verbs
