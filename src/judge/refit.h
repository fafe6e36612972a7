// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "judge/left_out.h"

namespace headrace::judge {

/// One constant before and after.
struct Refitted {
  std::string key;
  catalog::Constant shipped, fitted;
  double prior = 0;  ///< where the fit started: the middle of the range, in logarithms where the fit is in them

  /// Whether the fit would have left the plausible range.
  [[nodiscard]] bool at_edge() const;
};

struct Refit {
  catalog::Calibration calibration;  ///< all constants, the fitted ones rounded as they are written
  std::vector<Refitted> constants;   ///< those with basis fitted, by key
};

/// All fitted constants derived anew, from the middle of their ranges, from the evidence built into the program: those
/// of the training step from evidence/training.csv, of memory from evidence/memory.csv, then the widths of intervals
/// from predictions that leave each source out. The same on any number of threads.
base::Result<Refit> refit(const catalog::Catalog& catalog, const LeftOut& left_out, int threads,
                          const std::function<void(double)>& progress);

}  // namespace headrace::judge
