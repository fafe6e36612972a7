// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/result.h"
#include "catalog/calibration.h"
#include "plan/rank.h"

namespace headrace::plan {

/// The relative difference of two strategies' speeds below which the model ranks them no better than chance:
/// calibration key `interval.ranking`.
base::Result<double> ranking_uncertainty(const catalog::Calibration& calibration);

/// For every candidate, the indices of the others that it cannot be told from, ascending.
std::vector<std::vector<int>> ties(const std::vector<Candidate>& candidates, double uncertainty);

}  // namespace headrace::plan
