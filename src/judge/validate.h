// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/csv.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "evidence/score.h"

namespace headrace::judge {

/// Predicts every usable row of a table with the columns of training.csv; rows that lack what is needed are counted by
/// reason, never guessed.
base::Result<evidence::FamilyScore> validate_training(const base::CsvTable& table, const catalog::Catalog& catalog,
                                                      int threads);

/// Predicts every train_peak and train_oom row of a table with the columns of memory_cases.csv.
base::Result<evidence::FamilyScore> validate_memory(const base::CsvTable& table, const catalog::Catalog& catalog,
                                                    int threads);

}  // namespace headrace::judge
