// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace headrace::base {

/// The q-quantile (0 ≤ q ≤ 1) with linear interpolation between order statistics; NaN when empty.
double quantile(std::vector<double> values, double q);
/// The median; NaN when empty.
double median(std::vector<double> values);
/// The mean; NaN when empty.
double mean(const std::vector<double>& values);

}  // namespace headrace::base
