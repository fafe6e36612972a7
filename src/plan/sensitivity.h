// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "plan/search.h"

namespace headrace::plan {

/// What a machine could have more of.
enum class Resource { kMatrixUnits, kMemoryBandwidth, kScaleUpLink, kNetwork, kMemoryCapacity };

/// The machine with `factor` times as much of one resource.
training::Machine scaled(training::Machine machine, Resource resource, double factor);

struct Sensitivity {
  Resource resource = Resource::kMatrixUnits;
  double change = 0;    ///< of the seconds per sequence, relative to now: −0.05 = 5 % less
  Candidate candidate;  ///< what then runs: the chosen strategy, or with more capacity the best that then fits
};

/// What `factor` of each resource would buy for a chosen strategy. Links that the machine does not have are left out.
/// More memory capacity speeds nothing up by itself: the strategies are searched anew for it.
std::vector<Sensitivity> sensitivities(const training::Job& job, const training::Machine& machine, const Space& space,
                                       const Options& options, const Candidate& chosen, double factor = 1.1);

/// A strategy timed and sized on a machine.
Candidate evaluate(const training::Job& job, const training::Machine& machine, const scenario::Strategy& strategy,
                   double dollars_per_accelerator_second = 0);

}  // namespace headrace::plan
