// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"
#include "judge/memory_case.h"
#include "judge/validate.h"

namespace headrace::judge {
namespace {

bool is_training(const std::string& kind) { return kind == "train_peak" || kind == "train_oom"; }

/// One row judged: its prediction beside what it states.
struct Judged {
  MemoryCase known;
  double predicted = 0;
  bool refused = false;
};

evidence::Scored scored(const Judged& row) {
  return {row.known.id, row.known.source, row.known.accelerator, row.known.model, row.known.measured, row.predicted};
}

/// Shares of runs that the model judges wrongly, as a metric: mean_ape is the share, of rows that ran out of memory and
/// of rows that ran.
std::vector<evidence::Metric> fit_metrics(const std::vector<Judged>& rows) {
  double ran_out = 0, missed = 0, ran = 0, refused = 0;
  for (const Judged& row : rows) {
    if (row.known.capacity <= 0) continue;
    (row.known.ran_out ? ran_out : ran) += 1;
    if (row.known.ran_out && !row.refused) missed += 1;
    if (!row.known.ran_out && row.refused) refused += 1;
  }
  evidence::Metric out, in;
  out.metric = "out_of_memory_missed";
  out.mean_ape = ran_out > 0 ? missed / ran_out : 0;
  in.metric = "fitting_refused";
  in.mean_ape = ran > 0 ? refused / ran : 0;
  return {out, in};
}

}  // namespace

base::Result<evidence::FamilyScore> validate_memory(const base::CsvTable& table, const catalog::Catalog& catalog, int) {
  TRY(const MemoryFacts facts, load_memory_facts());
  evidence::FamilyScore result;
  result.family = "memory";
  std::vector<Judged> judged;
  for (const auto& row : table.rows()) {
    if (!is_training(table.cell(row, "kind"))) continue;
    ++result.rows;
    auto known = memory_case(table, row, facts, catalog);
    if (!known) {
      ++result.skipped[known.error()];
      continue;
    }
    const double predicted = predict(*known);
    const bool too_much = refused(*known);
    judged.push_back({std::move(*known), predicted, too_much});
    if (judged.back().known.measured > 0) result.scored.push_back(scored(judged.back()));
  }
  result.used = int(judged.size());
  result.metrics.push_back(evidence::score("peak_memory", result.scored));
  for (auto& metric : fit_metrics(judged)) result.metrics.push_back(std::move(metric));
  result.groups = evidence::group_scores(result.scored);
  return result;
}

}  // namespace headrace::judge
