// SPDX-License-Identifier: Apache-2.0
#include "catalog/calibration.h"

namespace headrace::catalog {

bool Refitted::at_edge() const {
  constexpr double kNear = 1e-3;
  return fitted.value <= fitted.low * (1 + kNear) || fitted.value >= fitted.high * (1 - kNear);
}

const Constant* Calibration::find(const std::string& key) const {
  const auto found = constants_.find(key);
  return found == constants_.end() ? nullptr : &found->second;
}

base::Result<double> Calibration::value(const std::string& key) const {
  if (const Constant* constant = find(key)) return constant->value;
  return tl::unexpected(base::Error{base::ErrorKind::kInternal, {"catalog.no_constant", {key}}, {}, {}});
}

base::Result<double> Calibration::family_value(const std::string& prefix, const std::string& family,
                                               const std::string& suffix) const {
  if (const Constant* constant = find(prefix + "." + family + "." + suffix)) return constant->value;
  return value(prefix + ".default." + suffix);
}

}  // namespace headrace::catalog
