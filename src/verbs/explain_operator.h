// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenario/outcome.h"
#include "verbs/context.h"

namespace headrace::verbs {

/// One operator alone on one accelerator, from its data-sheet peak down to what is achieved. `op` is `gemm:MxNxK:dtype`
/// or `attention:BATCHxHEADSxLENGTHxHEAD_DIM:dtype` (causal); `on` an accelerator, or a platform for its accelerator.
base::Result<scenario::OperatorOutcome> explain_operator(const std::string& op, const std::string& on,
                                                         const std::string& software, const Context& context);

}  // namespace headrace::verbs
