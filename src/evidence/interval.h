// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/calibration.h"
#include "evidence/scored.h"

namespace headrace::evidence {

/// The interval that the calibration gives an output: `interval.<output>.low` and `.high`, both to the power of the
/// scale, which is the product of `interval.<output>.wider.<name>` to the power of each doubt's amount. Nothing when
/// the calibration has none for this output.
std::optional<Factors> interval_of(const std::string& output, const Doubts& doubts,
                                   const catalog::Calibration& calibration);

/// The one width for all that the calibration keeps beside it for comparison (`interval.<output>.constant.low`,
/// `.high`).
std::optional<Factors> constant_interval(const std::string& output, const catalog::Calibration& calibration);

/// The calibration with the interval constants of `output` fitted to predictions that leave the row's own source
/// out: how much each doubt widens (at least 1, shrunk to 1), by the least mean interval score, then the 10 %
/// and 90 % quantiles of the residuals over their scale. Groups weigh the same within a source, a source by the root of
/// its number of groups. Constants stay in their plausible ranges; those that the calibration has not are left out.
catalog::Calibration fit_interval(const std::string& output, const std::vector<Scored>& rows,
                                  const catalog::Calibration& calibration);

/// Gives each row the intervals of the calibration; none where it has none.
void give_intervals(const std::string& output, const catalog::Calibration& calibration, std::vector<Scored>& rows);

/// Gives each row the intervals that the other sources' rows alone would have fitted: cross-conformal.
void give_cross_conformal_intervals(const std::string& output, const catalog::Calibration& calibration,
                                    std::vector<Scored>& rows);

/// The score of an 80 % interval in logarithms (Winkler's): its width, and ten times the distance by which it missed;
/// less is better.
double interval_score(double log_ratio, const Factors& interval);

}  // namespace headrace::evidence
