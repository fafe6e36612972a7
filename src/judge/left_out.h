// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "judge/leave_out.h"

namespace headrace::judge {

/// What constants fitted without a fold of the training ledger predict of it, in seconds, by fold and id. Kept in
/// evidence/left_out.csv, because the refits take minutes: `headrace fit --left-out` makes it anew.
using LeftOut = std::map<Fold, std::map<std::string, double>>;

/// "source_out", "accelerator_out", "group_out".
const char* split_name(Fold fold);

base::Result<LeftOut> built_in_left_out();
/// By refits: one for each source, accelerator and group of the ledger.
base::Result<LeftOut> compute_left_out(const catalog::Catalog& catalog, int threads,
                                       const std::function<void(double)>& progress);
/// As the file holds it, rows by id.
std::string left_out_csv(const LeftOut& left_out);

/// The cases beside their predictions of one fold, with sweeps, doubts and cross-conformal intervals; cases that the
/// file does not know are left out.
std::vector<evidence::Scored> scored_left_out(const std::vector<TrainingCase>& cases, const LeftOut& left_out,
                                              Fold fold, const catalog::Calibration& calibration);

/// Adds the figures of all splits to the score of the ledger that was built in.
base::Result<void> add_left_out(const catalog::Catalog& catalog, evidence::FamilyScore& training);

/// The interval constants of step time, the ranking and peak memory, fitted to predictions that leave sources out.
base::Result<catalog::Calibration> fit_intervals(const catalog::Catalog& catalog, const LeftOut& left_out,
                                                 const catalog::Calibration& before);

}  // namespace headrace::judge
