// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "catalog/calibration.h"

namespace headrace::catalog {

/// One constant as a line of a calibration file, values with four significant digits.
std::string calibration_line(const std::string& key, const Constant& constant);

/// A calibration file with the lines of fitted constants written anew from `calibration`; all else, comments and order
/// among it, stays. An internal error where the file has a constant that the calibration lacks.
base::Result<std::string> rewrite_calibration(std::string_view file, const Calibration& calibration);

/// A number as calibration files hold it: rounded to four significant digits.
double rounded(double value);

}  // namespace headrace::catalog
