// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verbs/context.h"

namespace headrace::verbs {

/// A page with its tables filled: what stands between `<!-- NAME -->` and `<!-- /NAME -->` becomes the table of that
/// name, from the evidence built into the program. Names: headline, ranking, peers, worst, reach.
base::Result<std::string> accuracy_page(std::string page, const Context& context);

}  // namespace headrace::verbs
