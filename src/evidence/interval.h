// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "catalog/calibration.h"

namespace headrace::evidence {

/// What makes a prediction less certain than usual, by the name of its constant (`interval.<output>.wider.<name>`), as
/// an amount; what is absent is as usual.
using Doubts = std::map<std::string, double>;

/// An 80 % interval as factors around a prediction: low ≤ 1 ≤ high.
struct Factors {
  double low = 1;
  double high = 1;
};

/// The interval that the calibration gives an output: `interval.<output>.low` and `.high`, both to the power of the
/// scale, which is the product of `interval.<output>.wider.<name>` to the power of each doubt's amount. Nothing when
/// the calibration has none for this output.
std::optional<Factors> interval_of(const std::string& output, const Doubts& doubts,
                                   const catalog::Calibration& calibration);

/// The one width for all that the calibration keeps beside it for comparison (`interval.<output>.constant.low`,
/// `.high`).
std::optional<Factors> constant_interval(const std::string& output, const catalog::Calibration& calibration);

/// A measurement that the model was not fitted on, against its prediction.
struct Residual {
  std::string source;
  std::string group;     ///< source × model × accelerator
  double log_ratio = 0;  ///< log(measured / predicted)
  Doubts doubts;
};

/// The calibration with the interval constants of `output` fitted to residuals of predictions that leave the row's own
/// source out: how much each doubt widens (at least 1, shrunk to 1), by the least mean interval score, then the 10 %
/// and 90 % quantiles of the residuals over their scale. Groups weigh the same within a source, a source by the root of
/// its number of groups. Constants stay in their plausible ranges; those that the calibration has not are left out.
catalog::Calibration fit_interval(const std::string& output, const std::vector<Residual>& residuals,
                                  const catalog::Calibration& calibration);

/// What validation says of a row: its interval, and what one width for all would be.
struct Judged {
  Factors interval;
  Factors constant;
};

/// The intervals of rows when the residuals of each row's own source do not exist: cross-conformal.
std::vector<Judged> cross_conformal(const std::string& output, const std::vector<Residual>& residuals,
                                    const catalog::Calibration& calibration);

/// The score of an 80 % interval in logarithms (Winkler's): its width, and ten times the distance by which it missed;
/// less is better.
double interval_score(double log_ratio, const Factors& interval);

}  // namespace headrace::evidence
