// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "catalog/calibration.h"
#include "report/outcome_text.h"

namespace headrace::report {

/// A fitted constant as a report shows it.
struct FittedLine {
  std::string key;
  catalog::Constant shipped, fitted;
  double prior = 0;
  bool at_edge = false;
};

/// The conclusion (as shipped or not, how many moved, which stand at the edge of their range), then every constant.
std::string fit_text(const std::vector<FittedLine>& constants, bool as_shipped, const Reader& reader);
/// {"headrace":1,"verb":"fit","as_shipped":…,"constants":[{key, unit, shipped, fitted, prior, low, high, rows, sources,
/// at_edge}]}.
std::string fit_json(const std::vector<FittedLine>& constants, bool as_shipped);

}  // namespace headrace::report
