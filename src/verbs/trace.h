// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenario/outcome.h"
#include "timeline/trace.h"
#include "verbs/context.h"

namespace headrace::verbs {

/// The step that an outcome of simulate shows, operation by operation. Error when it shows none.
base::Result<timeline::Trace> trace(const scenario::Outcome& outcome, const Context& context);

}  // namespace headrace::verbs
