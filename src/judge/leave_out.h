// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "evidence/score.h"
#include "judge/fit.h"

namespace headrace::judge {

/// What is left out of a fit together.
enum class Fold {
  kSource,       ///< a repository or paper, all its releases
  kAccelerator,  ///< one accelerator of the catalogue, by whatever names sources call it
  kGroup,        ///< one source's rows of one model on one accelerator
};

/// The name by which cases belong to one fold: of an accelerator its id, of a group "SOURCE, ACCELERATOR, MODEL".
std::string fold_of(const TrainingCase& known, Fold fold);

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
