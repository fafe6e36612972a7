// SPDX-License-Identifier: Apache-2.0
#include "judge/fold.h"

namespace headrace::judge {

std::string fold_of(const TrainingCase& known, Fold fold) {
  switch (fold) {
    case Fold::kSource: return known.source;
    case Fold::kAccelerator: return known.place.accelerator->id;
    case Fold::kGroup: break;
  }
  return known.source + ", " + known.accelerator + ", " + known.model;
}

}  // namespace headrace::judge
