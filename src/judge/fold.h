// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "judge/training_case.h"

namespace headrace::judge {

/// What is left out of a fit together.
enum class Fold {
  kSource,       ///< a repository or paper, all its releases
  kAccelerator,  ///< one accelerator of the catalogue, by whatever names sources call it
  kGroup,        ///< one source's rows of one model on one accelerator
};

/// The name by which cases belong to one fold: of an accelerator its id, of a group "SOURCE, ACCELERATOR, MODEL".
std::string fold_of(const TrainingCase& known, Fold fold);

}  // namespace headrace::judge
