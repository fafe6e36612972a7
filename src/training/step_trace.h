// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "timeline/trace.h"
#include "training/memory.h"
#include "training/step_simulation.h"

namespace headrace::training {

/// A step that ran, as a trace: a place for each pipeline rank, all times `stretch` as long (the slowest rank's).
/// Memory of a rank starts at what it holds throughout and follows the passes whose activations it keeps, so that its
/// highest is its peak in `peaks`.
timeline::Trace step_trace(const StepRun& run, const Layout& layout, const std::vector<Memory>& peaks, double stretch);

}  // namespace headrace::training
