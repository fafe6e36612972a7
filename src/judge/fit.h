// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/result.h"
#include "catalog/calibration.h"
#include "judge/training_case.h"

namespace headrace::judge {

struct FitOptions {
  int rounds = 12;  ///< passes over all constants, at most
  int threads = 1;  ///< the answer does not depend on it
  double prior_weight =
      0.003;  ///< what a constant a quarter of its range (in logarithms) from the middle adds to the loss
};

/// Fits the constants of the training step that the calibration calls fitted, each within its plausible range and
/// starting from its middle, to the step times of `cases`. Deterministic: a coordinate search in logarithms over a
/// robust loss in which every group (source × accelerator × model) weighs the same within its source, and a source by
/// the root of its number of groups.
base::Result<catalog::Calibration> fit_training(const std::vector<TrainingCase>& cases,
                                                const catalog::Calibration& shipped, const FitOptions& options);

/// The same calibration with the constants that fit_training changes at the middle of their ranges.
catalog::Calibration training_priors(const catalog::Calibration& shipped);

}  // namespace headrace::judge
