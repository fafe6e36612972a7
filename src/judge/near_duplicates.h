// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "judge/training_case.h"

namespace headrace::judge {

/// Of each case, the others that give its measurement away: the same model's sizes, run and strategy on the same
/// accelerators, in a time within 2 %. A paper's table that a repository repeats is such a pair, whoever it is credited
/// to. Symmetric; indices ascend.
std::vector<std::vector<std::size_t>> near_duplicates(const std::vector<TrainingCase>& cases);

}  // namespace headrace::judge
