// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace headrace::plan {

/// The divisors of a number in ascending order; none of zero or less.
inline std::vector<int> divisors(std::int64_t number) {
  std::vector<int> low, high;
  for (std::int64_t d = 1; d * d <= number; ++d) {
    if (number % d != 0) continue;
    low.push_back(int(d));
    if (d != number / d) high.push_back(int(number / d));
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

/// In ascending order, each value once.
template <typename T>
std::vector<T> sorted_once(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// Pinned degrees in ascending order, each once; what is below 1 is no degree.
inline std::vector<int> degrees_given(std::vector<int> values) {
  std::erase_if(values, [](int value) { return value < 1; });
  return sorted_once(std::move(values));
}

}  // namespace headrace::plan
