// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "evidence/score.h"
#include "verbs/context.h"

namespace headrace::verbs {

/// The training rows of one kind of fold, or of one fold, scored by constants that are fitted anew without it. `what`
/// is source, accelerator or group, with "=NAME" for one fold; of a group the name is "SOURCE, ACCELERATOR, MODEL".
base::Result<evidence::FamilyScore> validate_left_out(const std::string& what, const Context& context);

}  // namespace headrace::verbs
