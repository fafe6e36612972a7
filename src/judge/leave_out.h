// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "evidence/score.h"
#include "judge/fit.h"
#include "judge/fold.h"

namespace headrace::judge {

struct LeaveOutOptions {
  FitOptions fit;
  std::string only;  ///< the one fold to leave out; empty = each in turn
  int threads = 1;
  std::function<void(double)> progress;  ///< called with the share that is done, from any thread
};

/// Every case, with its sweep and its doubts as if its source had never been measured, predicted by constants that were
/// fitted, from the middle of their ranges, without its fold and without what other folds repeat of it
/// (near_duplicates.h); with `only`, just the cases of that fold.
base::Result<std::vector<evidence::Scored>> predict_left_out(const std::vector<TrainingCase>& cases,
                                                             const catalog::Calibration& shipped, Fold fold,
                                                             const LeaveOutOptions& options);

}  // namespace headrace::judge
