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

/// How long one operator takes alone on one accelerator. Never negative, never below FLOPs/peak or bytes/bandwidth of the data sheet.
KernelCost kernel_time(const workload::Operator& op, const Device& device);

}  // namespace headrace::cost
