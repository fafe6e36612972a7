// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "base/result.h"
#include "base/units.h"
#include "catalog/catalog.h"

namespace headrace::cost {

/// Values by base::Dtype.
using ByDtype = std::array<double, 16>;

/// An accelerator with a software release on it, as the cost models see it: facts joined with calibration, looked up
/// once. Rates are what large kernels sustain inside a training step: data sheet times efficiency, at the clock that
/// the power limit allows.
struct Device {
  const catalog::Accelerator* accelerator = nullptr;
  const catalog::Software* software = nullptr;
  ByDtype peak{};       ///< FLOP/s, data sheet, dense; 0 = not supported
  ByDtype gemm_rate{};  ///< FLOP/s of large matrix products; a format without matrix units runs in the next wider one
  double attention_forward_rate = 0;   ///< FLOP/s of long fused attention with heads of 128
  double attention_backward_rate = 0;  ///< the same, backward
  double scan_rate = 0;                ///< FLOP/s of state-space scans
  double memory_bandwidth = 0;         ///< bytes/s, data sheet
  double memory_rate = 0;              ///< bytes/s that long element-wise kernels reach
  double memory = 0;                   ///< bytes
  int multiprocessors = 0;             ///< 0 = unknown, or a machine of few large matrix units: no waves
  bool guessed = false;                ///< the family has no constants fitted to it
  double launch = 0;                   ///< s of idle between two kernels on the device
  double host_launch = 0;              ///< s the host needs per kernel; binds when kernels are shorter
  double tile_overhead = 0;            ///< steps along k that a tile spends on filling and draining its pipeline
  double unaligned = 1;                ///< share of the rate left when a matrix's rows are no multiple of 16 bytes
  double partly_aligned = 1;           ///< the same where they are, but no multiple of 128 bytes
  double expert_imbalance =
      1;  ///< time of the fullest expert's rank over that of an even share, with grouped kernels' own loss
  double attention_ramp = 0;       ///< keys at which fused attention reaches half of its rate
  double attention_head_ramp = 0;  ///< the same for the head's width

  friend bool operator==(const Device&, const Device&) = default;
};

/// Joins an accelerator, a software release and the calibration. Missing peaks or bandwidths that no model can do
/// without are errors that say which.
base::Result<Device> make_device(const catalog::Accelerator& accelerator, const catalog::Software& software,
                                 const catalog::Calibration& calibration);

}  // namespace headrace::cost
