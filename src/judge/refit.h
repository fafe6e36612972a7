// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "judge/left_out.h"

namespace headrace::judge {

struct Refit {
  catalog::Calibration calibration;          ///< all constants, the fitted ones rounded as they are written
  std::vector<catalog::Refitted> constants;  ///< those with basis fitted, by key
};

/// All fitted constants derived anew, from the middle of their ranges, from the evidence built into the program: those
/// of the training step from evidence/training.csv, of memory from evidence/memory.csv, then the widths of intervals
/// from predictions that leave each source out.
base::Result<Refit> refit(const catalog::Catalog& catalog, const LeftOut& left_out,
                          const std::function<void(double)>& progress);

}  // namespace headrace::judge
