// SPDX-License-Identifier: Apache-2.0
#include "evidence/score.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/statistics.h"

namespace headrace::evidence {

namespace {

using Key = std::tuple<std::string, std::string, std::string>;

std::map<Key, std::vector<double>> errors_by_group(const std::vector<Scored>& rows) {
  std::map<Key, std::vector<double>> groups;
  for (const auto& row : rows) groups[{row.accelerator, row.source, row.model}].push_back(row.error());
  return groups;
}

std::vector<double> magnitudes(const std::vector<double>& errors) {
  std::vector<double> sizes;
  for (const double error : errors) sizes.push_back(std::abs(error));
  return sizes;
}

}  // namespace

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
