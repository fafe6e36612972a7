// SPDX-License-Identifier: Apache-2.0
#include "evidence/ranking.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

#include "base/statistics.h"

namespace headrace::evidence {

namespace {

using Rows = std::vector<const Scored*>;

/// The rows of each sweep that has enough strategies to rank.
std::vector<Rows> rows_by_sweep(const std::vector<Scored>& rows) {
  constexpr std::size_t kFewest = 5;
  std::map<std::string, Rows> sweeps;
  for (const Scored& row : rows)
    if (!row.sweep.empty()) sweeps[row.sweep].push_back(&row);
  std::vector<Rows> enough;
  for (const auto& [name, members] : sweeps) {
    std::set<double> predictions;
    for (const Scored* row : members) predictions.insert(row->predicted);
    if (predictions.size() >= kFewest) enough.push_back(members);
  }
  return enough;
}

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
  std::vector<double> out(values.size());
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from;
    while (to < order.size() && values[order[to]] == values[order[from]]) ++to;
    for (std::size_t i = from; i < to; ++i) out[order[i]] = double(from + to - 1) / 2;
    from = to;
  }
  return out;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double mean_a = base::mean(a), mean_b = base::mean(b);
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += std::pow(a[i] - mean_a, 2);
    bb += std::pow(b[i] - mean_b, 2);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

Sweep sweep_of(const Rows& rows) {
  std::vector<double> measured, predicted;
  for (const Scored* row : rows) {
    measured.push_back(row->measured);
    predicted.push_back(row->predicted);
  }
  const double first = *std::min_element(predicted.begin(), predicted.end());
  std::vector<double> of_first;  // equals in prediction cannot be told apart: their mean counts
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (predicted[i] == first) of_first.push_back(measured[i]);
  const double best = *std::min_element(measured.begin(), measured.end());
  return {rows.front()->accelerator,
          rows.front()->source,
          rows.front()->model,
          static_cast<int>(rows.size()),
          correlation(ranks(measured), ranks(predicted)),
          base::mean(of_first) / best - 1};
}

/// Absolute errors of the differences between runs that are predicted near each other, with their weights.
std::vector<std::pair<double, double>> errors_of_differences(const Rows& rows) {
  constexpr double kNear = 0.1;
  std::vector<std::pair<double, double>> errors;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double predicted = std::log(rows[i]->predicted / rows[j]->predicted);
      const double measured = std::log(rows[i]->measured / rows[j]->measured);
      if (predicted != 0 && std::abs(predicted) < kNear) errors.emplace_back(std::abs(measured - predicted), 0);
    }
  }
  for (auto& [error, weight] : errors) weight = 1.0 / double(errors.size());
  return errors;
}

}  // namespace

std::vector<Sweep> sweeps_of(const std::vector<Scored>& rows) {
  std::vector<Sweep> sweeps;
  for (const Rows& members : rows_by_sweep(rows)) sweeps.push_back(sweep_of(members));
  std::sort(sweeps.begin(), sweeps.end(), [](const Sweep& a, const Sweep& b) {
    return std::tie(b.regret, a.spearman, a.source, a.model, a.used) <
           std::tie(a.regret, b.spearman, b.source, b.model, b.used);
  });
  return sweeps;
}

std::vector<Metric> ranking_metrics(const std::vector<Scored>& rows) {
  std::vector<double> spearman, regret;
  for (const Sweep& sweep : sweeps_of(rows)) {
    spearman.push_back(sweep.spearman);
    regret.push_back(sweep.regret);
  }
  if (spearman.empty()) return {};
  const double lowest = *std::min_element(spearman.begin(), spearman.end());
  const double highest = *std::max_element(regret.begin(), regret.end());
  return {metric_of_value("ranking_spearman", base::median(spearman), lowest),
          metric_of_value("ranking_regret", base::median(regret), highest)};
}

catalog::Calibration fit_ranking(const std::vector<Scored>& rows, const catalog::Calibration& calibration) {
  // An error falls the wrong way half of the time: one in five exceeds in that direction what two in five exceed in
  // either.
  constexpr double kShare = 0.6;
  catalog::Calibration fitted = calibration;
  const catalog::Constant* shipped = calibration.find("interval.ranking");
  std::vector<std::pair<double, double>> errors;
  for (const Rows& members : rows_by_sweep(rows))
    for (const auto& error : errors_of_differences(members)) errors.push_back(error);
  if (shipped == nullptr || errors.empty()) return fitted;
  std::sort(errors.begin(), errors.end());
  double total = 0, below = 0;
  for (const auto& [error, weight] : errors) total += weight;
  catalog::Constant constant = *shipped;
  for (const auto& [error, weight] : errors) {
    constant.value = error;
    below += weight;
    if (below >= kShare * total) break;
  }
  constant.value = std::clamp(constant.value, constant.low, constant.high);
  fitted.set("interval.ranking", constant);
  return fitted;
}

}  // namespace headrace::evidence
