// SPDX-License-Identifier: Apache-2.0
#include "evidence/interval.h"
#include "judge/memory_case.h"
#include "judge/memory_fit.h"
#include "judge/validate.h"

namespace headrace::judge {
namespace {

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

void add_source_out(const std::vector<MemoryCase>& cases, const catalog::Calibration& calibration,
                    evidence::FamilyScore& family) {
  auto rows = predict_source_out(cases, calibration);
  evidence::give_cross_conformal_intervals("memory", calibration, rows);
  auto metric = evidence::score("peak_memory", rows);
  metric.split = "source_out";
  family.metrics.push_back(std::move(metric));
  family.left_out["source_out"] = std::move(rows);
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
    if (one.measured > 0) result.scored.push_back(scored_of(one, predict(one)));
  evidence::give_intervals("memory", catalog.calibration, result.scored);
  result.used = int(cases.size());
  result.metrics.push_back(evidence::score("peak_memory", result.scored));
  for (auto& metric : fit_metrics(cases)) result.metrics.push_back(std::move(metric));
  if (!result.scored.empty()) add_source_out(cases, catalog.calibration, result);
  result.groups = evidence::group_scores(result.scored);
  return result;
}

}  // namespace headrace::judge
