// SPDX-License-Identifier: Apache-2.0
#include "evidence/score.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/statistics.h"
#include "evidence/interval.h"

namespace headrace::evidence {

namespace {

using Key = std::tuple<std::string, std::string, std::string>;

std::map<Key, std::vector<double>> errors_by_group(const std::vector<Scored>& rows) {
  std::map<Key, std::vector<double>> groups;
  for (const auto& row : rows) groups[row.group()].push_back(row.error());
  return groups;
}

std::vector<double> magnitudes(const std::vector<double>& errors) {
  std::vector<double> sizes;
  for (const double error : errors) sizes.push_back(std::abs(error));
  return sizes;
}

/// One figure per row, averaged within each group.
template <typename Figure>
std::vector<double> group_means(const std::vector<Scored>& rows, const Figure& figure) {
  std::map<Key, std::vector<double>> groups;
  for (const auto& row : rows) groups[row.group()].push_back(figure(row));
  std::vector<double> means;
  for (const auto& [key, values] : groups) means.push_back(base::mean(values));
  return means;
}

void score_intervals(Metric& result, const std::vector<Scored>& rows) {
  if (!std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.interval.has_value(); })) return;
  result.coverage_80 = base::mean(group_means(rows, [](const Scored& row) {
    const Factors& is = row.interval->interval;
    const double ratio = row.measured / row.predicted;
    return ratio >= is.low && ratio <= is.high ? 1.0 : 0.0;
  }));
  result.half_width = base::median(group_means(
      rows, [](const Scored& row) { return (row.interval->interval.high - row.interval->interval.low) / 2; }));
  result.interval_score = base::mean(
      group_means(rows, [](const Scored& row) { return interval_score(row.log_ratio(), row.interval->interval); }));
  result.constant_interval_score = base::mean(
      group_means(rows, [](const Scored& row) { return interval_score(row.log_ratio(), row.interval->constant); }));
}

}  // namespace

Metric metric_of_value(const std::string& metric, double value, double worst) {
  Metric result;
  result.metric = metric;
  for (double* error : {&result.median_ape, &result.row_median_ape, &result.mean_ape, &result.p90_ape, &result.bias})
    *error = Metric::kNone;
  result.value = value;
  result.worst = worst;
  return result;
}

Metric score(const std::string& metric, const std::vector<Scored>& rows) {
  std::vector<double> errors, medians;
  for (const auto& row : rows) errors.push_back(row.error());
  for (const auto& [key, group] : errors_by_group(rows)) medians.push_back(base::median(magnitudes(group)));
  const auto sizes = magnitudes(errors);
  Metric result;
  result.metric = metric;
  result.median_ape = base::median(medians);
  result.row_median_ape = base::median(sizes);
  result.mean_ape = base::mean(sizes);
  result.p90_ape = base::quantile(sizes, 0.9);
  result.bias = base::median(errors);
  score_intervals(result, rows);
  return result;
}

std::vector<GroupScore> group_scores(const std::vector<Scored>& rows) {
  std::vector<GroupScore> scores;
  for (const auto& [key, errors] : errors_by_group(rows)) {
    const auto& [accelerator, source, model] = key;
    scores.push_back({accelerator, source, model, static_cast<int>(errors.size()), base::median(magnitudes(errors)),
                      base::median(errors)});
  }
  std::sort(scores.begin(), scores.end(), [](const auto& a, const auto& b) {
    return std::tie(b.median_ape, a.accelerator, a.source, a.model) <
           std::tie(a.median_ape, b.accelerator, b.source, b.model);
  });
  return scores;
}

}  // namespace headrace::evidence
