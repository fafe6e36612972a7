// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/result.h"
#include "scenario/strategy.h"
#include "training/job.h"

namespace headrace::training {

/// Why this strategy cannot run at all (degrees that do not divide heads, layers, experts, batch or accelerators), or
/// nothing. Memory is not asked here.
std::optional<base::Message> illegal(const Job& job, const scenario::Strategy& strategy, int accelerators);

}  // namespace headrace::training
