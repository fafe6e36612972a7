// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace headrace::catalog {

/// One fitted or assumed constant: `catalog/calibration/*.yaml` keeps its unit, plausible range, basis and the evidence
/// behind it.
struct Constant {
  double value = 0;
  double low = 0;  ///< plausible range, from physics, not from the fit
  double high = 0;
  std::string unit;
  std::string basis;     ///< fitted, assumed, datasheet
  std::string evidence;  ///< which rows or which paper
  int rows = 0;          ///< of a fitted constant: measurements that it can change
  int sources = 0;       ///< repositories and papers that these come from
};

/// A constant as it was and as a fit made it anew.
struct Refitted {
  std::string key;
  Constant shipped, fitted;

  /// Whether the fit would have left the plausible range.
  [[nodiscard]] bool at_edge() const;
};

/// All constants by dotted key, e.g. "gemm.hopper.tensor_efficiency". Keys may be overridden for leave-outs.
class Calibration {
 public:
  void set(const std::string& key, Constant constant) { constants_[key] = std::move(constant); }
  [[nodiscard]] const Constant* find(const std::string& key) const;
  /// The value, or an internal error that names the key.
  [[nodiscard]] base::Result<double> value(const std::string& key) const;
  /// The value of prefix.<family>.suffix, or of prefix.default.suffix where the family has none of its own.
  [[nodiscard]] base::Result<double> family_value(const std::string& prefix, const std::string& family,
                                                  const std::string& suffix) const;
  [[nodiscard]] const std::map<std::string, Constant>& all() const { return constants_; }

 private:
  std::map<std::string, Constant> constants_;
};

}  // namespace headrace::catalog
