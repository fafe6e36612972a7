// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/result.h"
#include "catalog/calibration.h"
#include "judge/training_case.h"
#include "judge/training_predictor.h"

namespace headrace::judge {

struct FitOptions {
  int rounds = 20;          ///< steps at most
  double tolerance = 1e-4;  ///< of the loss, at which no further step is made
  double prior_weight =
      0.003;  ///< what a constant a quarter of its range (in logarithms) from the middle adds to the loss
};

/// Fits the constants of the training step that the calibration calls fitted, each within its plausible range and
/// starting from its middle, to the step times of `cases`. Deterministic: Gauss-Newton steps in logarithms over a
/// robust loss in which every group (source × accelerator × model) weighs the same within its source, and a source by
/// the root of its number of groups.
base::Result<catalog::Calibration> fit_training(const std::vector<TrainingCase>& cases,
                                                const catalog::Calibration& shipped, const FitOptions& options);
/// The same on the cases that are `used`, with a predictor of all of them made once for many fits.
catalog::Calibration fit_training(const std::vector<TrainingCase>& cases, const TrainingPredictor& predictor,
                                  const std::vector<bool>& used, const catalog::Calibration& shipped,
                                  const FitOptions& options);

/// The same on all cases, twice: the second time with the predictor held against the event graph at what the first
/// found.
catalog::Calibration fit_anchored(const std::vector<TrainingCase>& cases, TrainingPredictor& predictor,
                                  const catalog::Calibration& shipped, const FitOptions& options);

/// The keys of the constants that fit_training changes.
std::vector<std::string> training_constants(const catalog::Calibration& shipped);

/// The same calibration with the constants that fit_training changes at the middle of their ranges.
catalog::Calibration training_priors(const catalog::Calibration& shipped);

}  // namespace headrace::judge
