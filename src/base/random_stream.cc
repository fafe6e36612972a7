// SPDX-License-Identifier: Apache-2.0
#include "base/random_stream.h"

#include <cmath>
#include <numbers>

namespace headrace::base {

double RandomStream::normal() {
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

}  // namespace headrace::base
