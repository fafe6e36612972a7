// SPDX-License-Identifier: Apache-2.0
#include "plan/ties.h"

#include <algorithm>
#include <cmath>

namespace headrace::plan {

base::Result<double> ranking_uncertainty(const catalog::Calibration& calibration) {
  return calibration.value("interval.ranking");
}

std::vector<std::vector<int>> ties(const std::vector<Candidate>& candidates, double uncertainty) {
  std::vector<std::vector<int>> all(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const double own = seconds_per_sequence(candidates[i]);
    for (std::size_t j = 0; j < candidates.size(); ++j) {
      const double other = seconds_per_sequence(candidates[j]);
      if (i != j && std::abs(own - other) < uncertainty * std::min(own, other)) all[i].push_back(int(j));
    }
  }
  return all;
}

}  // namespace headrace::plan
