// SPDX-License-Identifier: Apache-2.0
#include "evidence/interval.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace headrace::evidence {

namespace {

using catalog::Calibration;
using catalog::Constant;

constexpr double kMissed = 0.2;  ///< the share of measurements that an 80 % interval leaves outside

std::string key(const std::string& output, const char* what) { return "interval." + output + what; }
std::string widening(const std::string& output) { return "interval." + output + ".wider."; }

std::optional<Factors> factors_at(const std::string& low_key, const std::string& high_key, double scale,
                                  const Calibration& calibration) {
  const Constant* low = calibration.find(low_key);
  const Constant* high = calibration.find(high_key);
  if (low == nullptr || high == nullptr) return std::nullopt;
  return Factors{std::pow(low->value, scale), std::pow(high->value, scale)};
}

/// The residuals of one output with their weights, and the logarithms by which doubts widen.
class Fit {
 public:
  Fit(const std::string& output, const std::vector<Scored>& rows, const Calibration& calibration)
      : rows_(rows), weights_(weights_of(rows)) {
    const std::string prefix = widening(output);
    for (const auto& [name, constant] : calibration.all()) {
      if (!name.starts_with(prefix)) continue;
      const bool open = constant.basis == "fitted";
      const double low = std::log(open ? constant.low : constant.value);
      logs_[name.substr(prefix.size())] = {low, low, std::log(open ? constant.high : constant.value)};
    }
  }

  /// Each doubt in turn tries every width of a grid, until none moves.
  void widen() {
    constexpr int kSteps = 16, kPasses = 6;
    double best = loss();
    for (int pass = 0; pass < kPasses; ++pass) {
      bool moved = false;
      for (auto& [name, log] : logs_) {
        const double before = log.value;
        double kept = before;
        for (int step = 0; step <= kSteps; ++step) {
          log.value = log.lowest + (log.highest - log.lowest) * step / kSteps;
          if (const double now = loss(); now < best - 1e-12) {
            best = now;
            kept = log.value;
          }
        }
        log.value = kept;
        moved = moved || kept != before;
      }
      if (!moved) return;
    }
  }

  [[nodiscard]] Factors ends() const {
    return ends([this](const Scored& one) { return scale(one); });
  }
  [[nodiscard]] Factors constant() const {
    return ends([](const Scored&) { return 1.0; });
  }

  [[nodiscard]] std::map<std::string, double> factors() const {
    std::map<std::string, double> out;
    for (const auto& [name, log] : logs_) out[name] = std::exp(log.value);
    return out;
  }

 private:
  struct Log {
    double value = 0, lowest = 0, highest = 0;
  };

  /// What a doubt must gain in the mean score per squared logarithm of widening beyond the least plausible.
  static constexpr double kShrinkage = 0.02;

  static std::vector<double> weights_of(const std::vector<Scored>& rows) {
    std::map<std::tuple<std::string, std::string, std::string>, double> sizes;
    for (const Scored& row : rows) ++sizes[row.group()];
    std::vector<double> weights;
    for (const Scored& row : rows) weights.push_back(1 / (sizes[row.group()] * double(sizes.size())));
    return weights;
  }

  [[nodiscard]] double scale(const Scored& one) const {
    double log = 0;
    for (const auto& [name, amount] : one.doubts)
      if (const auto found = logs_.find(name); found != logs_.end()) log += amount * found->second.value;
    return std::exp(log);
  }

  template <typename Scale>
  [[nodiscard]] Factors ends(const Scale& scale) const {
    std::vector<std::pair<double, double>> normal;  // residual over scale, weight
    for (std::size_t i = 0; i < rows_.size(); ++i)
      normal.emplace_back(rows_[i].log_ratio() / scale(rows_[i]), weights_[i]);
    std::sort(normal.begin(), normal.end());
    return {std::exp(std::min(0.0, quantile(normal, kMissed / 2))),
            std::exp(std::max(0.0, quantile(normal, 1 - kMissed / 2)))};
  }

  /// The value below which `share` of the weight lies, halfway within a weight.
  static double quantile(const std::vector<std::pair<double, double>>& sorted, double share) {
    double below = 0, last = 0, position = 0;
    for (const auto& [value, weight] : sorted) {
      const double middle = below + weight / 2;
      if (middle >= share) return below == 0 ? value : last + (value - last) * (share - position) / (middle - position);
      below += weight;
      last = value;
      position = middle;
    }
    return last;
  }

  [[nodiscard]] double loss() const {
    const Factors unit = ends();
    double sum = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double wide = scale(rows_[i]);
      sum += weights_[i] * interval_score(rows_[i].log_ratio(), {std::pow(unit.low, wide), std::pow(unit.high, wide)});
    }
    for (const auto& [name, log] : logs_) sum += kShrinkage * std::pow(log.value - log.lowest, 2);
    return sum;
  }

  const std::vector<Scored>& rows_;
  std::vector<double> weights_;
  std::map<std::string, Log> logs_;
};

void put(Calibration& calibration, const std::string& name, double value) {
  const Constant* shipped = calibration.find(name);
  if (shipped == nullptr) return;
  Constant constant = *shipped;
  constant.value = std::clamp(value, constant.low, constant.high);
  calibration.set(name, constant);
}

}  // namespace

std::optional<Factors> interval_of(const std::string& output, const Doubts& doubts, const Calibration& calibration) {
  double scale = 1;
  for (const auto& [name, amount] : doubts)
    if (const Constant* wider = calibration.find(widening(output) + name)) scale *= std::pow(wider->value, amount);
  return factors_at(key(output, ".low"), key(output, ".high"), scale, calibration);
}

std::optional<Factors> constant_interval(const std::string& output, const Calibration& calibration) {
  return factors_at(key(output, ".constant.low"), key(output, ".constant.high"), 1, calibration);
}

Calibration fit_interval(const std::string& output, const std::vector<Scored>& rows, const Calibration& calibration) {
  Calibration fitted = calibration;
  if (rows.empty()) return fitted;
  Fit fit(output, rows, calibration);
  const Factors constant = fit.constant();
  put(fitted, key(output, ".constant.low"), constant.low);
  put(fitted, key(output, ".constant.high"), constant.high);
  fit.widen();
  const Factors ends = fit.ends();
  put(fitted, key(output, ".low"), ends.low);
  put(fitted, key(output, ".high"), ends.high);
  for (const auto& [name, factor] : fit.factors()) put(fitted, widening(output) + name, factor);
  return fitted;
}

void give_intervals(const std::string& output, const Calibration& calibration, std::vector<Scored>& rows) {
  const auto constant = constant_interval(output, calibration);
  if (!constant) return;
  for (Scored& row : rows)
    if (const auto interval = interval_of(output, row.doubts, calibration)) row.interval = Judged{*interval, *constant};
}

void give_cross_conformal_intervals(const std::string& output, const Calibration& calibration,
                                    std::vector<Scored>& rows) {
  std::map<std::string, std::vector<Scored>> by_source;
  for (const Scored& row : rows) by_source[row.source].push_back(row);
  for (auto& [source, judged] : by_source) {
    std::vector<Scored> others;
    for (const Scored& row : rows)
      if (row.source != source) others.push_back(row);
    give_intervals(output, fit_interval(output, others, calibration), judged);
  }
  std::map<std::string, std::size_t> next;
  for (Scored& row : rows) row.interval = by_source[row.source][next[row.source]++].interval;
}

double interval_score(double log_ratio, const Factors& interval) {
  const double low = std::log(interval.low), high = std::log(interval.high);
  return high - low + 2 / kMissed * (std::max(0.0, low - log_ratio) + std::max(0.0, log_ratio - high));
}

}  // namespace headrace::evidence
