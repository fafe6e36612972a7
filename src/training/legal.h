// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/result.h"
#include "scenario/strategy.h"
#include "training/job.h"

namespace headrace::training {

/// Why this strategy cannot run at all (degrees that do not divide heads, layers, experts, batch or accelerators), or
/// nothing. Neither memory nor software is asked here.
std::optional<base::Message> illegal(const Job& job, const scenario::Strategy& strategy, int accelerators);

/// Why the software cannot run this strategy, or nothing.
std::optional<base::Message> unsupported(const catalog::Software& software, const scenario::Strategy& strategy);
/// The same, asking also how the software divides this model.
std::optional<base::Message> unsupported(const catalog::Software& software, const Job& job,
                                         const scenario::Strategy& strategy);

}  // namespace headrace::training
