// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evidence/interval.h"

namespace headrace::evidence {

/// One measurement beside what a model says of it.
struct Scored {
  std::string id;
  std::string source;  ///< repository or paper, all its releases together
  std::string accelerator;
  std::string model;
  double measured = 0;
  double predicted = 0;
  std::optional<Judged> interval = std::nullopt;  ///< nothing where the output has none

  [[nodiscard]] double error() const { return predicted / measured - 1; }  ///< signed, relative
};

struct GroupScore {
  std::string accelerator, source, model;
  int used = 0;
  double median_ape = 0;  ///< fractions throughout
  double bias = 0;        ///< median signed error
};

/// Figures of one metric; absolute percentage errors as fractions.
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

  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
};

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
};

}  // namespace headrace::evidence
