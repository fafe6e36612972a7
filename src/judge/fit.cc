// SPDX-License-Identifier: Apache-2.0
#include "judge/fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "base/parallel.h"

namespace headrace::judge {

namespace {

using catalog::Calibration;
using catalog::Constant;

/// Rooms of the calibration that the training step's time depends on.
constexpr std::array<std::string_view, 12> kSteps{"gemm.",       "expert.", "attention.", "scan.",
                                                  "kernel.",     "host.",   "link.",      "network.",
                                                  "collective.", "step.",   "pipeline.",  "optimizer."};

bool fits(const std::string& key, const Constant& constant) {
  if (constant.basis != "fitted" || constant.low <= 0 || constant.high <= constant.low) return false;
  const bool bandwidth = key.starts_with("memory.") && key.ends_with(".efficiency");
  return bandwidth || std::any_of(kSteps.begin(), kSteps.end(), [&](auto prefix) { return key.starts_with(prefix); });
}

std::vector<double> weights_of(const std::vector<TrainingCase>& cases) {
  const auto group = [](const TrainingCase& c) { return c.source + '\n' + c.accelerator + '\n' + c.model; };
  std::map<std::string, int> rows;
  std::map<std::string, std::set<std::string>> groups;
  for (const auto& known : cases) {
    ++rows[group(known)];
    groups[known.source].insert(group(known));
  }
  std::vector<double> weights;
  for (const auto& known : cases) {
    const double of_source = std::sqrt(static_cast<double>(groups[known.source].size()));
    weights.push_back(known.trust / (rows[group(known)] * of_source));
  }
  return weights;
}

/// Squared for errors well under 5 %, linear above.
double robust(double error) {
  constexpr double kKnee = 0.05;
  return std::hypot(error, kKnee) - kKnee;
}

/// Distance from the middle of the range, in quarters of it.
double penalty(const Constant& constant) {
  const double middle = std::sqrt(constant.low * constant.high);
  const double quarter = std::log(constant.high / constant.low) / 4;
  return std::pow(std::log(constant.value / middle) / quarter, 2);
}

class Fit {
 public:
  Fit(const std::vector<TrainingCase>& cases, const Calibration& shipped, const FitOptions& options)
      : cases_(cases),
        options_(options),
        weights_(weights_of(cases)),
        losses_(cases.size()),
        now_(training_priors(shipped)) {
    for (const auto& [key, constant] : now_.all())
      if (fits(key, constant)) steps_[key] = kFirstStep;
    best_ = loss();
  }

  /// One pass: each constant moves as long as that helps, then strides longer or shorter. The gain.
  double round() {
    const double before = best_;
    for (auto& [key, step] : steps_) {
      if (step < kLastStep) continue;
      const bool moved = walk(key, step) || walk(key, -step);
      step *= moved ? 1.3 : 0.5;
    }
    return before - best_;
  }

  [[nodiscard]] Calibration result() const { return now_; }

 private:
  static constexpr double kFirstStep = 0.08, kLastStep = 0.01;

  bool walk(const std::string& key, double step) {
    bool moved = false;
    for (int stride = 0; stride < 4; ++stride) {
      const Constant old = *now_.find(key);
      Constant next = old;
      next.value = std::clamp(old.value * std::exp(step), old.low, old.high);
      if (next.value == old.value) break;
      now_.set(key, next);
      const double trial = loss();
      if (trial >= best_ - 1e-9) {
        now_.set(key, old);
        break;
      }
      best_ = trial;
      moved = true;
    }
    return moved;
  }

  /// A case that cannot be predicted adds nothing, whatever the constants.
  double loss() {
    base::parallel_for(cases_.size(), options_.threads, [&](std::size_t i) {
      const auto step = predict(cases_[i], now_);
      losses_[i] = step ? weights_[i] * robust(std::log(step->time / cases_[i].measured)) : 0;
    });
    double sum = 0;
    for (const double one : losses_) sum += one;
    for (const auto& [key, step] : steps_) sum += options_.prior_weight * penalty(*now_.find(key));
    return sum;
  }

  const std::vector<TrainingCase>& cases_;
  const FitOptions& options_;
  std::vector<double> weights_, losses_;
  Calibration now_;
  std::map<std::string, double> steps_;
  double best_ = 0;
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

base::Result<Calibration> fit_training(const std::vector<TrainingCase>& cases, const Calibration& shipped,
                                       const FitOptions& options) {
  for (const auto& known : cases) {
    if (auto step = predict(known, shipped); !step) return tl::unexpected(step.error());
  }
  Fit fit(cases, shipped, options);
  for (int round = 0; round < options.rounds; ++round)
    if (fit.round() < 1e-4) break;
  return fit.result();
}

}  // namespace headrace::judge
