// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "catalog/calibration.h"
#include "evidence/score.h"
#include "judge/memory_case.h"

namespace headrace::judge {

/// The memory constants that evidence can tell (`memory.context`, `memory.communicator`, `memory.fragmentation`),
/// fitted within their plausible ranges on some cases: the least mean over groups of the mean absolute logarithm of
/// predicted over measured. Starts from the middle of the ranges, so that the answer depends on these cases alone.
catalog::Calibration fit_memory(const std::vector<const MemoryCase*>& cases, const catalog::Calibration& calibration);

/// The keys of these constants.
std::vector<std::string> memory_constants();

/// What makes a prediction of memory less certain: adapters over frozen weights, and runs on a single
/// accelerator, whose owners fill it with what the row does not say.
evidence::Doubts memory_doubts(const training::Job& job, double accelerators);

/// A case beside its prediction.
evidence::Scored scored_of(const MemoryCase& known, double predicted);

/// Each case predicted with constants fitted on the cases of all other sources.
std::vector<evidence::Scored> predict_source_out(const std::vector<MemoryCase>& cases,
                                                 const catalog::Calibration& calibration);

}  // namespace headrace::judge
