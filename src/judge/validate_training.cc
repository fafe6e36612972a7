// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "base/parallel.h"
#include "evidence/interval.h"
#include "evidence/ranking.h"
#include "judge/doubts.h"
#include "judge/training_case.h"
#include "judge/validate.h"

namespace headrace::judge {

base::Result<evidence::FamilyScore> validate_training(const base::CsvTable& table, const catalog::Catalog& catalog,
                                                      int threads) {
  TRY(const auto known_rows, training_cases(table, catalog));
  const auto& cases = known_rows.cases;
  evidence::FamilyScore family;
  family.family = "training";
  family.rows = static_cast<int>(table.rows().size());
  family.skipped = known_rows.skipped;
  TRY(const auto measured, built_in_settings(catalog));
  const auto doubts = doubts_without_own_source(cases, measured);
  std::vector<base::Result<double>> steps(cases.size());
  base::parallel_for(cases.size(), threads, [&](std::size_t i) { steps[i] = predict(cases[i], catalog.calibration); });
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!steps[i]) return tl::unexpected(steps[i].error());
    family.scored.push_back(scored_of(cases[i], *steps[i], doubts[i]));
  }
  evidence::give_intervals("step_time", catalog.calibration, family.scored);
  family.used = static_cast<int>(family.scored.size());
  family.metrics.push_back(evidence::score("step_time", family.scored));
  for (auto& metric : evidence::ranking_metrics(family.scored)) family.metrics.push_back(std::move(metric));
  family.groups = evidence::group_scores(family.scored);
  return family;
}

}  // namespace headrace::judge
