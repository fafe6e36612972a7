// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/units.h"
#include "cost/device.h"
#include "workload/operators.h"

namespace headrace::cost {

enum class Bound { kCompute, kMemory, kLaunch, kLink, kNetwork };

struct KernelCost {
  base::Seconds time;
  Bound bound = Bound::kCompute;
};

/// How long one operator takes alone on one accelerator. Never negative, never below FLOPs/peak or bytes/bandwidth of
/// the data sheet.
KernelCost kernel_time(const workload::Operator& op, const Device& device,
                       workload::Pass pass = workload::Pass::kForward);

/// The share of its large-product rate that an m×n×k product reaches: whole tiles, whole waves of tiles over the
/// multiprocessors, and the filling of each tile's pipeline.
double gemm_utilisation(double m, double n, double k, double groups, const Device& device);

}  // namespace headrace::cost
