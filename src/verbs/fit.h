// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/staged_files.h"
#include "judge/refit.h"
#include "verbs/context.h"

namespace headrace::verbs {

/// What a fresh fit gives: every fitted constant, and the files of catalog/calibration that hold them.
struct FitAnswer {
  std::vector<catalog::Refitted> constants;  ///< by key
  std::vector<base::FileText> files;         ///< by their names in catalog/calibration
  std::string left_out;                      ///< evidence/left_out.csv, where it was asked for
  bool as_shipped = true;                    ///< the files are those that the program was built with
};

/// Derives the fitted constants from the evidence built into the program. `leave_out`: predicts the ledger without each
/// source, accelerator and group anew, which takes minutes, instead of taking the predictions that were built in.
base::Result<FitAnswer> fit(bool leave_out, const Context& context);

/// One line per constant: key, unit, shipped, fitted, low, high, rows, sources.
std::string fit_csv(const FitAnswer& answer);

}  // namespace headrace::verbs
