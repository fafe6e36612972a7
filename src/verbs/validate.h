// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "evidence/score.h"
#include "verbs/context.h"

namespace headrace::verbs {

struct ValidateOptions {
  std::vector<std::string> families;  ///< empty: all that have evidence
  std::vector<std::string> evidence;  ///< files to score instead of the built-in rows
  std::string leave_out = {};         ///< what to leave out of a fit, as validate_left_out takes it; empty = nothing
};

/// Scores the models as shipped against published measurements: the project's own rows, or those of the given files.
base::Result<std::vector<evidence::FamilyScore>> validate(const ValidateOptions& options, const Context& context);

/// One line per scored row: family, id, source, accelerator, model, measured, predicted, relative error.
std::string rows_csv(const std::vector<evidence::FamilyScore>& families);

}  // namespace headrace::verbs
