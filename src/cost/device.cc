// SPDX-License-Identifier: Apache-2.0
#include "cost/device.h"

#include <cmath>
#include <string>

namespace headrace::cost {

namespace {

using base::Dtype;

double& at(ByDtype& values, Dtype dtype) { return values[static_cast<std::size_t>(dtype)]; }

/// The format in whose matrix units a product runs when the accelerator has none for `dtype`.
Dtype wider(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFp4: return Dtype::kFp8;
    case Dtype::kInt4: return Dtype::kInt8;
    case Dtype::kFp16: return Dtype::kBf16;
    case Dtype::kBf16: return Dtype::kFp32;
    case Dtype::kTf32: return Dtype::kFp32;
    case Dtype::kFp64: return Dtype::kFp64;
    case Dtype::kFp32: return Dtype::kFp64;
    default: return Dtype::kBf16;
  }
}

/// The key of the efficiency of a format's large matrix products.
const char* efficiency_key(Dtype dtype) {
  const int width = base::bits(dtype);
  if (width <= 6) return "efficiency_4bit";
  if (width == 8) return "efficiency_8bit";
  return "efficiency";
}

const char* attention_key(catalog::AttentionKernel kernel) {
  switch (kernel) {
    case catalog::AttentionKernel::kFlash1: return "attention.flash1";
    case catalog::AttentionKernel::kFlash3: return "attention.flash3";
    default: return "attention.flash2";
  }
}

/// What the power limit leaves of the clock. A product of 16-bit numbers costs `energy` on a 4 nm process at the
/// highest clock, memory and leakage included; other widths in proportion to their bits, other processes by a power of
/// their size.
struct Power {
  double energy = 0;  ///< J per FLOP of 16 bits on this accelerator; 0 = its power limit or process is not known
  double limit = 0;   ///< W
  double exponent = 0;

  /// rate · (limit / power at that rate)^exponent, where the clock must fall: power goes with the clock and the square
  /// of a voltage that follows it down to a floor, so that the exponent lies between 1/3 and 1.
  [[nodiscard]] double sustained(double rate, Dtype dtype) const {
    const double drawn = energy * base::bits(dtype) / 16 * rate;
    return drawn > limit ? rate * std::pow(limit / drawn, exponent) : rate;
  }
};

/// Nanometres of the process that most accelerators of a year were made in, where a maker does not say.
double usual_process(int year) {
  if (year <= 2018) return 12;
  if (year <= 2021) return 7;
  return year <= 2024 ? 5 : 3;
}

base::Result<Power> power_of(const catalog::Accelerator& accelerator, const catalog::Calibration& calibration) {
  Power power;
  TRY(const double energy, calibration.value("gemm.energy_per_flop"));
  TRY(const double process, calibration.value("gemm.process_exponent"));
  TRY(power.exponent, calibration.value("gemm.power_exponent"));
  if (!accelerator.power_limit || !(accelerator.process_nm || accelerator.year)) return power;
  constexpr double kProcess = 4;
  const double size = accelerator.process_nm.value_or(usual_process(accelerator.year.value_or(0)));
  power.limit = accelerator.power_limit->value();
  power.energy = energy * std::pow(size / kProcess, process);
  return power;
}

base::Result<void> join_matrix_rates(Device& device, const std::string& family,
                                     const catalog::Calibration& calibration) {
  const auto& facts = *device.accelerator;
  for (const auto& [dtype, peak] : facts.peak) at(device.peak, dtype) = peak.value();
  if (facts.vector_fp32 && at(device.peak, Dtype::kFp32) == 0)
    at(device.peak, Dtype::kFp32) = facts.vector_fp32->value();
  TRY(auto power, power_of(facts, calibration));
  for (int index = 0; index <= static_cast<int>(Dtype::kNf4); ++index) {
    Dtype runs_as = static_cast<Dtype>(index);
    for (int step = 0; step < 4 && at(device.peak, runs_as) == 0; ++step) runs_as = wider(runs_as);
    TRY(const double efficiency, calibration.family_value("gemm", family, efficiency_key(runs_as)));
    device.gemm_rate[static_cast<std::size_t>(index)] = power.sustained(at(device.peak, runs_as) * efficiency, runs_as);
  }
  const double half = std::max(at(device.peak, Dtype::kBf16), at(device.peak, Dtype::kFp16));
  const double attention_peak = half > 0 ? half : at(device.peak, Dtype::kFp32);
  if (attention_peak == 0) return base::input_error({}, "cost.no_peak", {facts.id});
  const std::string key = attention_key(device.software->attention);
  TRY(const double forward, calibration.family_value(key, family, "forward"));
  TRY(const double backward, calibration.value("attention.backward"));
  TRY(const double scan, calibration.value("scan.efficiency"));
  // Fused attention keeps its operands on chip and its matrix units idle during the softmax.
  TRY(const double share, calibration.value("attention.energy"));
  power.energy *= share;
  device.attention_forward_rate = power.sustained(attention_peak * forward, Dtype::kBf16);
  device.attention_backward_rate = power.sustained(attention_peak * forward * backward, Dtype::kBf16);
  device.scan_rate = attention_peak * scan;
  return {};
}

base::Result<void> join_overheads(Device& device, const std::string& family, const catalog::Calibration& calibration) {
  TRY(device.launch, calibration.family_value("kernel", family, "gap"));
  // Training releases can capture graphs but run without them unless told; serving engines capture by default.
  const bool told = device.software->kind != "training" || device.software->facts.contains("captures_graphs");
  const bool captured = device.software->cuda_graphs && told;
  const char* mode = captured                    ? "host.graph.launch"
                     : device.software->compiled ? "host.compiled.launch"
                                                 : "host.eager.launch";
  TRY(device.host_launch, calibration.value(mode));
  TRY(device.tile_overhead, calibration.value("gemm.tile_overhead"));
  TRY(device.unaligned, calibration.value("gemm.unaligned"));
  TRY(device.partly_aligned, calibration.value("gemm.partly_aligned"));
  TRY(device.expert_imbalance, calibration.value("expert.imbalance"));
  TRY(device.attention_ramp, calibration.value("attention.ramp"));
  TRY(device.attention_head_ramp, calibration.value("attention.head_ramp"));
  return {};
}

}  // namespace

base::Result<Device> make_device(const catalog::Accelerator& accelerator, const catalog::Software& software,
                                 const catalog::Calibration& calibration) {
  Device device;
  device.accelerator = &accelerator;
  device.software = &software;
  if (!accelerator.memory_bandwidth) return base::input_error({}, "cost.no_memory_bandwidth", {accelerator.id});
  if (!accelerator.memory) return base::input_error({}, "cost.no_memory", {accelerator.id});
  device.memory_bandwidth = accelerator.memory_bandwidth->value();
  device.memory = accelerator.memory->value();
  const auto* own = calibration.find("gemm." + accelerator.family + ".efficiency");
  device.guessed = own == nullptr || own->basis == "assumed";
  const bool matrix_arrays =
      accelerator.family == "tpu" || accelerator.family == "trainium" || accelerator.family == "gaudi";
  device.multiprocessors = matrix_arrays ? 0 : accelerator.multiprocessors.value_or(0);
  CHECK_OK(join_matrix_rates(device, accelerator.family, calibration));
  TRY(const double memory_efficiency, calibration.family_value("memory", accelerator.family, "efficiency"));
  device.memory_rate = device.memory_bandwidth * memory_efficiency;
  CHECK_OK(join_overheads(device, accelerator.family, calibration));
  return device;
}

}  // namespace headrace::cost
