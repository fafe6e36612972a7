// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "plan/search.h"

namespace headrace::plan {

/// One of several machines that a plan may choose.
struct MachineChoice {
  const training::Machine* machine = nullptr;
  double dollars_per_accelerator_second = 0;  ///< 0 = no price known
};

/// Searches every machine and ranks their strategies together; Candidate::machine says which one. `options.objective`
/// must compare across machines: all do, but cost only among machines whose price is known, and the others are left out
/// of it.
Found search_machines(const training::Job& job, const std::vector<MachineChoice>& machines, const Space& space,
                      const Options& options);

/// The candidates that none is at least as good as in speed, memory and cost, and better in one; fastest first. Without
/// a price, cost does not count.
std::vector<Candidate> pareto(std::vector<Candidate> candidates);

}  // namespace headrace::plan
