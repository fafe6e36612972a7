// SPDX-License-Identifier: Apache-2.0
#include "base/estimate.h"

namespace headrace::base {

const char* basis_name(Basis basis) {
  switch (basis) {
    case Basis::kMeasured: return "measured";
    case Basis::kFitted: return "fitted";
    case Basis::kDatasheet: return "datasheet";
    case Basis::kAssumed: return "assumed";
  }
  return "assumed";
}

double Breakdown::total() const {
  double sum = 0;
  for (const Share& part : parts) sum += part.value;
  return sum;
}

}  // namespace headrace::base
