// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verbs/predict.h"

namespace headrace::verbs {

/// What each part of a step takes from the accelerator's dense peak, largest part first; the last step leaves what is
/// achieved. Nothing when the peak in the job's precision is unknown.
std::optional<scenario::Waterfall> waterfall_of(const PreparedJob& job, const PreparedMachine& machine,
                                                const scenario::TrainingOutcome& outcome);

}  // namespace headrace::verbs
