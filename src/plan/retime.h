// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "plan/rank.h"
#include "training/job.h"

namespace headrace::plan {

/// Gives every candidate the time of its event graph in place of the search's bound.
void retime(const training::Job& job, const training::Machine& machine, int threads,
            double dollars_per_accelerator_second, std::vector<Candidate>& candidates);

}  // namespace headrace::plan
