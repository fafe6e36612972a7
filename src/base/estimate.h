// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headrace::base {

/// What a figure rests on, best first.
enum class Basis { kMeasured, kFitted, kDatasheet, kAssumed };

const char* basis_name(Basis basis);

/// A predicted figure as it leaves the engine: an 80 % interval [low, high] around value, in `unit`, what bounds it,
/// and its basis.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
  std::string unit;
  Basis basis = Basis::kAssumed;
  std::string bound;  ///< the binding resource as a message id, e.g. "bound.tensor"; empty when nothing binds
};

/// One part of a total; the values of a breakdown sum to their total.
struct Share {
  std::string name;  ///< message id, e.g. "part.tensor_comm"
  double value = 0;
};

struct Breakdown {
  std::string unit;
  std::vector<Share> parts;

  [[nodiscard]] double total() const;
};

}  // namespace headrace::base
