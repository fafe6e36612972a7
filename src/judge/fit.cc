// SPDX-License-Identifier: Apache-2.0
#include "judge/fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "judge/fold.h"
#include "judge/least_squares.h"

namespace headrace::judge {

namespace {

using catalog::Calibration;
using catalog::Constant;

/// Rooms of the calibration that the training step's time depends on.
constexpr std::array<std::string_view, 12> kSteps{"gemm.", "expert.",  "attention.",  "scan.", "kernel.",   "host.",
                                                  "link.", "network.", "collective.", "step.", "optimizer."};

bool fits(const std::string& key, const Constant& constant) {
  if (constant.basis != "fitted" || constant.low <= 0 || constant.high <= constant.low) return false;
  const bool bandwidth = key.starts_with("memory.") && key.ends_with(".efficiency");
  return bandwidth || std::any_of(kSteps.begin(), kSteps.end(), [&](auto prefix) { return key.starts_with(prefix); });
}

/// 0 for cases that are not used.
std::vector<double> weights_of(const std::vector<TrainingCase>& cases, const std::vector<bool>& used) {
  std::map<std::string, int> rows;
  std::map<std::string, std::set<std::string>> groups;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!used[i]) continue;
    ++rows[fold_of(cases[i], Fold::kGroup)];
    groups[cases[i].source].insert(fold_of(cases[i], Fold::kGroup));
  }
  std::vector<double> weights(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& known = cases[i];
    if (!used[i]) continue;
    const double of_source = std::sqrt(static_cast<double>(groups[known.source].size()));
    weights[i] = known.trust / (rows[fold_of(known, Fold::kGroup)] * of_source);
  }
  return weights;
}

/// Squared for errors well under 5 %, linear above.
constexpr double kKnee = 0.05;
double robust(double error) { return std::hypot(error, kKnee) - kKnee; }

/// A constant's logarithm in quarters of its range from the middle.
double middle_of(const Constant& constant) { return std::log(std::sqrt(constant.low * constant.high)); }
double quarter_of(const Constant& constant) { return std::log(constant.high / constant.low) / 4; }

/// Least squares, each observation weighted anew by its error so that the loss is the robust one, each step solved with
/// slopes by differences and cut at the ranges.
class Fit {
 public:
  Fit(const std::vector<TrainingCase>& cases, const TrainingPredictor& predictor, const std::vector<bool>& used,
      const Calibration& shipped, double prior_weight)
      : predictor_(predictor),
        weights_(weights_of(cases, used)),
        prior_weight_(prior_weight),
        now_(training_priors(shipped)),
        predicted_(predictor.predict(now_)) {
    for (const auto& known : cases) measured_.push_back(std::log(known.measured));
    best_ = loss(predicted_, now_);
  }

  /// One step; the gain.
  double round() {
    const auto step = propose();
    first_ = false;
    double share = 1;
    for (int half = 0; half < 4; ++half, share /= 2) {
      const Calibration next = moved(step, share);
      auto predicted = predictor_.predict(next);
      const double trial = loss(predicted, next);
      if (trial >= best_) continue;
      const double gain = best_ - trial;
      best_ = trial;
      now_ = next;
      predicted_ = std::move(predicted);
      return gain;
    }
    return 0;
  }

  [[nodiscard]] const Calibration& result() const { return now_; }

 private:
  [[nodiscard]] const Constant& constant(std::size_t i) const { return *now_.find(predictor_.constants()[i]); }

  [[nodiscard]] double loss(const std::vector<double>& predicted, const Calibration& at) const {
    double sum = 0;
    for (std::size_t i = 0; i < predicted.size(); ++i)
      if (weights_[i] > 0) sum += weights_[i] * robust(predicted[i] - measured_[i]);
    for (const auto& key : predictor_.constants()) {
      const Constant& one = *at.find(key);
      sum += prior_weight_ * std::pow((std::log(one.value) - middle_of(one)) / quarter_of(one), 2);
    }
    return sum;
  }

  [[nodiscard]] NormalEquations equations() const {
    const auto later = first_ ? TrainingPredictor::Slopes() : predictor_.slopes(now_);
    const auto& slopes = first_ ? predictor_.first_slopes() : later;
    NormalEquations system(slopes.size());
    std::vector<double> row(slopes.size());
    for (std::size_t i = 0; i < predicted_.size(); ++i) {
      if (weights_[i] == 0) continue;
      for (std::size_t c = 0; c < slopes.size(); ++c) row[c] = slopes[c][i];
      const double error = predicted_[i] - measured_[i];
      system.observe(row, error, weights_[i] / std::hypot(error, kKnee));
    }
    for (std::size_t c = 0; c < slopes.size(); ++c) {
      const double quarter = quarter_of(constant(c));
      system.observe(c, std::log(constant(c).value) - middle_of(constant(c)), 2 * prior_weight_ / (quarter * quarter));
    }
    return system;
  }

  /// The step in logarithms that the equations ask for; constants that would leave their range stop at its end, and the
  /// others solve again.
  [[nodiscard]] std::vector<double> propose() const {
    const auto system = equations();
    const std::size_t n = predictor_.constants().size();
    std::vector<bool> fixed(n, false);
    std::vector<double> step(n, 0);
    for (std::size_t pass = 0; pass < n; ++pass) {
      step = system.solve(fixed, step);
      bool inside = true;
      for (std::size_t c = 0; c < n; ++c) {
        const Constant& one = constant(c);
        const double low = std::log(one.low / one.value), high = std::log(one.high / one.value);
        if (fixed[c] || (step[c] >= low && step[c] <= high)) continue;
        step[c] = std::clamp(step[c], low, high);
        fixed[c] = true;
        inside = false;
      }
      if (inside) break;
    }
    return step;
  }

  [[nodiscard]] Calibration moved(const std::vector<double>& step, double share) const {
    Calibration next = now_;
    for (std::size_t c = 0; c < step.size(); ++c) {
      Constant one = constant(c);
      one.value = std::clamp(one.value * std::exp(share * step[c]), one.low, one.high);
      next.set(predictor_.constants()[c], one);
    }
    return next;
  }

  const TrainingPredictor& predictor_;
  std::vector<double> weights_, measured_;
  double prior_weight_;
  Calibration now_;
  std::vector<double> predicted_;
  double best_ = 0;
  bool first_ = true;  ///< no step was made yet
};

}  // namespace

Calibration training_priors(const Calibration& shipped) {
  Calibration priors = shipped;
  for (const auto& [key, constant] : shipped.all()) {
    if (!fits(key, constant)) continue;
    Constant middle = constant;
    middle.value = std::sqrt(constant.low * constant.high);
    priors.set(key, middle);
  }
  return priors;
}

std::vector<std::string> training_constants(const Calibration& shipped) {
  std::vector<std::string> keys;
  for (const auto& [key, constant] : shipped.all())
    if (fits(key, constant)) keys.push_back(key);
  return keys;
}

Calibration fit_training(const std::vector<TrainingCase>& cases, const TrainingPredictor& predictor,
                         const std::vector<bool>& used, const Calibration& shipped, const FitOptions& options) {
  Fit fit(cases, predictor, used, shipped, options.prior_weight);
  for (int round = 0; round < options.rounds; ++round)
    if (fit.round() < options.tolerance) break;
  return fit.result();
}

base::Result<Calibration> fit_training(const std::vector<TrainingCase>& cases, const Calibration& shipped,
                                       const FitOptions& options) {
  TRY(auto predictor, TrainingPredictor::make(cases, training_constants(shipped), training_priors(shipped)));
  return fit_anchored(cases, predictor, shipped, options);
}

Calibration fit_anchored(const std::vector<TrainingCase>& cases, TrainingPredictor& predictor,
                         const Calibration& shipped, const FitOptions& options) {
  const std::vector<bool> used(cases.size(), true);
  predictor.anchor(fit_training(cases, predictor, used, shipped, options));
  return fit_training(cases, predictor, used, shipped, options);
}

}  // namespace headrace::judge
