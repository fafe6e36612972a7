// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "base/csv.h"
#include "report/outcome_json.h"
#include "scenario/names.h"

namespace headrace::report {
namespace {

using scenario::TrainingOutcome;

const std::vector<std::string> kHead{"choice",
                                     "platform",
                                     "accelerators",
                                     "tensor",
                                     "pipeline",
                                     "virtual_pipeline",
                                     "context",
                                     "expert",
                                     "expert_tensor",
                                     "data",
                                     "data_parallel",
                                     "micro_batch",
                                     "global_batch",
                                     "sequence_parallel",
                                     "recompute",
                                     "recompute_layers",
                                     "step_time_s",
                                     "step_time_low_s",
                                     "step_time_high_s",
                                     "tokens_per_second_per_gpu",
                                     "model_tflops_per_gpu",
                                     "mfu",
                                     "hfu",
                                     "memory_peak_bytes",
                                     "time_to_train_s",
                                     "energy_j",
                                     "cost_usd",
                                     "fits"};

std::string number(double value) { return fmt::format("{:.9g}", value); }

/// An unknown figure is an empty cell.
std::string number(const std::optional<base::Estimate>& estimate) {
  return estimate ? number(estimate->value) : std::string();
}

std::vector<std::string> cells(int choice, const TrainingOutcome& o) {
  const scenario::Strategy& s = o.strategy;
  return {std::to_string(choice),
          o.platform,
          std::to_string(o.accelerators),
          std::to_string(s.tensor),
          std::to_string(s.pipeline),
          std::to_string(s.virtual_pipeline),
          std::to_string(s.context),
          std::to_string(s.expert),
          std::to_string(s.expert_tensor),
          std::to_string(s.data),
          std::string(scenario::name_of(s.data_parallel)),
          std::to_string(s.micro_batch),
          std::to_string(s.global_batch),
          s.sequence_parallel ? "true" : "false",
          std::string(scenario::name_of(s.recompute)),
          std::to_string(s.recompute_layers),
          number(o.step_time.value),
          number(o.step_time.low),
          number(o.step_time.high),
          number(o.tokens_per_second_per_gpu.value),
          number(o.model_tflops_per_gpu.value),
          number(o.mfu.value),
          number(o.hfu.value),
          number(o.memory.peak.value),
          number(o.time_to_train),
          number(o.energy),
          number(o.cost),
          o.fits ? "true" : "false"};
}

}  // namespace

std::string outcome_csv(const scenario::Outcome& outcome) {
  std::string out = base::csv_line(kHead);
  int choice = 0;
  for (const TrainingOutcome& row : outcome.choices) out += base::csv_line(cells(++choice, row));
  if (outcome.choices.empty() && outcome.training) out += base::csv_line(cells(1, *outcome.training));
  return out;
}

std::string comparison_csv(const scenario::Comparison& comparison, const Language& language) {
  if (comparison.facts.empty()) {
    std::vector<std::string> head = kHead;
    head.front() = "name";
    std::string out = base::csv_line(head);
    for (std::size_t i = 0; i < comparison.outcomes.size(); ++i) {
      if (!comparison.outcomes[i].training) continue;
      std::vector<std::string> row = cells(1, *comparison.outcomes[i].training);
      row.front() = comparison.names[i];
      out += base::csv_line(row);
    }
    return out;
  }
  std::vector<std::string> head{""};
  head.insert(head.end(), comparison.names.begin(), comparison.names.end());
  std::string out = base::csv_line(head);
  for (std::size_t row = 0; row < comparison.facts.front().facts.size(); ++row) {
    std::vector<std::string> line{language.say(comparison.facts.front().facts[row].first)};
    for (const auto& column : comparison.facts) {
      const std::string& text = column.facts[row].second;
      line.push_back(text == "fact.unknown" || text == "fact.none" ? std::string() : text);
    }
    out += base::csv_line(line);
  }
  return out;
}

}  // namespace headrace::report
