// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan/found.h"
#include "plan/rank.h"
#include "plan/space.h"
#include "training/job.h"

namespace headrace::plan {

/// Searches all legal strategies; the answer does not depend on the number of threads.
Found search(const training::Job& job, const training::Machine& machine, const Space& space, const Options& options);

}  // namespace headrace::plan
