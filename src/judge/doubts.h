// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "evidence/experience.h"
#include "judge/training_case.h"

namespace headrace::judge {

/// A run as far as it decides how near it lies to what was measured.
evidence::Setting setting_of(const training::Job& job, const catalog::Accelerator& accelerator,
                             const catalog::Software& software, double accelerators);
evidence::Setting setting_of(const TrainingCase& known);

std::vector<evidence::Setting> settings_of(const std::vector<TrainingCase>& cases);

/// What the runs that were built into the program measured.
base::Result<std::vector<evidence::Setting>> built_in_settings(const catalog::Catalog& catalog);

/// The doubts about each row if of all `measured` those of its own source did not exist: of its setting, and `unstated`
/// for each part of the configuration that it leaves open.
std::vector<evidence::Doubts> doubts_without_own_source(const std::vector<TrainingCase>& cases,
                                                        const std::vector<evidence::Setting>& measured);

/// A case beside its prediction, with the sweep that it belongs to.
evidence::Scored scored_of(const TrainingCase& known, double predicted, const evidence::Doubts& doubts);

}  // namespace headrace::judge
