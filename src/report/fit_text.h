// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "catalog/calibration.h"
#include "report/outcome_text.h"

namespace headrace::report {

/// The conclusion (as shipped or not, how many moved, which stand at the edge of their range), then every constant.
std::string fit_text(const std::vector<catalog::Refitted>& constants, bool as_shipped, const Reader& reader);
/// {"headrace":1,"verb":"fit","as_shipped":…,"constants":[{key, unit, shipped, fitted, low, high, rows, sources,
/// at_edge}]}.
std::string fit_json(const std::vector<catalog::Refitted>& constants, bool as_shipped);

}  // namespace headrace::report
