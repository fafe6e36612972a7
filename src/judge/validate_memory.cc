// SPDX-License-Identifier: Apache-2.0
#include "judge/memory_case.h"
#include "judge/memory_fit.h"
#include "judge/validate.h"

namespace headrace::judge {
namespace {

evidence::Scored scored(const MemoryCase& known) {
  return {known.id, known.source, known.accelerator, known.model, known.measured, predict(known)};
}

/// Shares of runs that the model judges wrongly, as two metrics whose mean_ape is the share: of rows that ran out of
/// memory those predicted to fit, of rows that ran those refused.
std::vector<evidence::Metric> fit_metrics(const std::vector<MemoryCase>& cases) {
  double ran_out = 0, missed = 0, ran = 0, turned_away = 0;
  for (const MemoryCase& known : cases) {
    if (known.capacity <= 0) continue;
    const bool too_much = refused(known);
    (known.ran_out ? ran_out : ran) += 1;
    if (known.ran_out && !too_much) missed += 1;
    if (!known.ran_out && too_much) turned_away += 1;
  }
  evidence::Metric out, in;
  out.metric = "out_of_memory_missed";
  out.mean_ape = ran_out > 0 ? missed / ran_out : 0;
  in.metric = "fitting_refused";
  in.mean_ape = ran > 0 ? turned_away / ran : 0;
  return {out, in};
}

evidence::Metric source_out(const std::vector<MemoryCase>& cases, const catalog::Calibration& calibration) {
  auto metric = evidence::score("peak_memory", predict_source_out(cases, calibration));
  metric.split = "source_out";
  return metric;
}

}  // namespace

base::Result<evidence::FamilyScore> validate_memory(const base::CsvTable& table, const catalog::Catalog& catalog, int) {
  TRY(const auto known, memory_cases(table, catalog));
  const auto& cases = known.cases;
  evidence::FamilyScore result;
  result.family = "memory";
  result.rows = known.rows;
  result.skipped = known.skipped;
  for (const MemoryCase& one : cases)
    if (one.measured > 0) result.scored.push_back(scored(one));
  result.used = int(cases.size());
  result.metrics.push_back(evidence::score("peak_memory", result.scored));
  for (auto& metric : fit_metrics(cases)) result.metrics.push_back(std::move(metric));
  if (!result.scored.empty()) result.metrics.push_back(source_out(cases, catalog.calibration));
  result.groups = evidence::group_scores(result.scored);
  return result;
}

}  // namespace headrace::judge
