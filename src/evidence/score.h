// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "evidence/scored.h"

namespace headrace::evidence {

struct GroupScore {
  std::string accelerator, source, model;
  int used = 0;
  double median_ape = 0;  ///< fractions throughout
  double bias = 0;        ///< median signed error
};

/// Figures of one metric; absolute percentage errors as fractions, NaN for a metric of another kind.
struct Metric {
  std::string metric;  ///< e.g. "step_time"
  std::string split = "as_shipped";
  double median_ape = 0;  ///< median of group medians
  double row_median_ape = 0;
  double mean_ape = 0;
  double p90_ape = 0;  ///< of rows
  double bias = 0;     ///< median signed error of rows
  // Of the 80 % intervals; NaN unless every row has one.
  double coverage_80 = kNone;              ///< mean over groups of the share of measurements inside
  double half_width = kNone;               ///< median over groups of the mean half of high − low, over the prediction
  double interval_score = kNone;           ///< mean over groups of the mean interval score; less is better
  double constant_interval_score = kNone;  ///< the same of one width for all

  // Of figures that are no errors of rows; NaN elsewhere.
  double value = kNone;
  double worst = kNone;

  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
};

/// A metric whose figure is `value`, with no errors of rows.
Metric metric_of_value(const std::string& metric, double value, double worst);

Metric score(const std::string& metric, const std::vector<Scored>& rows);
/// Worst group first.
std::vector<GroupScore> group_scores(const std::vector<Scored>& rows);

/// The result of one family: what was used, what was skipped and why.
struct FamilyScore {
  std::string family;
  int rows = 0;
  int used = 0;
  std::map<std::string, int> skipped;  ///< reason → count
  std::vector<Metric> metrics;         ///< the headline first
  std::vector<GroupScore> groups;
  std::vector<Scored> scored;
  std::map<std::string, std::vector<Scored>> left_out;  ///< by split: predicted by constants that never saw the row
};

}  // namespace headrace::evidence
