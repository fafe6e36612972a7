// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "base/result.h"
#include "base/units.h"
#include "catalog/catalog.h"

namespace headrace::cost {

/// An accelerator with a software release on it, as the cost models see it: facts joined with calibration, looked up once.
struct Device {
  const catalog::Accelerator* accelerator = nullptr;
  const catalog::Software* software = nullptr;
  std::array<double, 16> peak{};       ///< FLOP/s by Dtype: the sustained dense matrix rate; 0 = not supported
  double vector_peak = 0;              ///< FLOP/s without matrix units
  double memory_bandwidth = 0;         ///< bytes/s, data sheet
  double memory = 0;                   ///< bytes
  double l2 = 0;                       ///< bytes; 0 = unknown
  int multiprocessors = 0;             ///< 0 = unknown
  bool guessed = false;                ///< a figure was taken from its family, not from a source
  // Calibration; meanings in catalog/calibration/kernels.yaml
  double gemm_efficiency = 0;
  double attention_efficiency = 0;
  double attention_backward_efficiency = 0;
  double memory_efficiency = 0;
  double launch = 0;                   ///< seconds per kernel
};

/// Joins an accelerator, a software release and the calibration. Missing peaks or bandwidths that no model can do without are errors that say which.
base::Result<Device> make_device(const catalog::Accelerator& accelerator, const catalog::Software& software,
                                 const catalog::Calibration& calibration);

}  // namespace headrace::cost
