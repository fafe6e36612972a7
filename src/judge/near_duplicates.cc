// SPDX-License-Identifier: Apache-2.0
#include "judge/near_duplicates.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace headrace::judge {

namespace {

constexpr double kAlike = 1.02;

/// What two rows of one measurement cannot differ in. Their names of the model do, and what one leaves unstated.
auto run_of(const TrainingCase& known) {
  const auto& strategy = known.strategy;
  return std::tuple(known.place.accelerator->id, known.place.accelerators, known.job.model.layers.size(),
                    known.job.model.hidden, known.job.sequence, strategy.global_batch, strategy.micro_batch,
                    strategy.tensor, strategy.pipeline);
}

bool alike(double one, double other) { return std::max(one, other) <= kAlike * std::min(one, other); }

}  // namespace

std::vector<std::vector<std::size_t>> near_duplicates(const std::vector<TrainingCase>& cases) {
  std::map<decltype(run_of(cases.front())), std::vector<std::size_t>> runs;
  for (std::size_t i = 0; i < cases.size(); ++i) runs[run_of(cases[i])].push_back(i);
  std::vector<std::vector<std::size_t>> all(cases.size());
  for (const auto& [run, members] : runs)
    for (const std::size_t one : members)
      for (const std::size_t other : members)
        if (one != other && alike(cases[one].measured, cases[other].measured)) all[one].push_back(other);
  return all;
}

}  // namespace headrace::judge
