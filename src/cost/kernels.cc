// SPDX-License-Identifier: Apache-2.0
#include "cost/kernels.h"

#include <algorithm>
#include <cmath>

namespace headrace::cost {

namespace {

/// An output tile of one thread block, and the share of the full rate that its operand traffic allows: about 1 / (1 +
/// c·(1/m + 1/n)).
struct Tile {
  double m, n, rate;
};
constexpr Tile kTiles[] = {{256, 128, 1.0}, {128, 256, 1.0}, {128, 128, 0.95}, {128, 64, 0.85},
                           {64, 128, 0.85}, {64, 64, 0.7},   {32, 128, 0.6},   {16, 128, 0.4}};
/// Into how many parts libraries cut the sum over k when there are too few tiles for all multiprocessors.
constexpr double kSplits[] = {1, 2, 4, 8};

/// Share of the full rate that whole tiles in whole waves over the multiprocessors reach, with the filling of each
/// tile's pipeline.
double tile_utilisation(double m, double n, double k, double groups, const Tile& tile, const Device& device) {
  const double tiles = std::ceil(m / tile.m) * std::ceil(n / tile.n) * groups;
  const double padded = (m * n * groups) / (tiles * tile.m * tile.n) * tile.rate;
  if (device.multiprocessors == 0) return padded * k / (k + device.tile_overhead);
  double best = 0;
  for (const double split : kSplits) {
    const double waves = tiles * split / device.multiprocessors;
    best = std::max(best, waves / std::ceil(waves) * k / (k + split * device.tile_overhead));
  }
  return padded * best;
}

/// time = FLOPs / (rate · utilisation), or the operands' bytes through memory, whichever is longer.
KernelCost roofline(double compute, double memory, double launch) {
  const Bound bound = launch >= std::max(compute, memory) ? Bound::kLaunch
                      : compute >= memory                 ? Bound::kCompute
                                                          : Bound::kMemory;
  return {base::Seconds(std::max(compute, memory) + launch), bound};
}

/// Whether rows of n and of k elements start at multiples of so many bytes.
bool starts_at(double bytes, const workload::Operator& op) {
  const double elements = bytes / base::bytes_of(op.dtype);
  return std::fmod(op.n, elements) == 0 && std::fmod(op.k, elements) == 0;
}

/// Tensor cores are fed 16 bytes at a time, memory and caches move lines of 128: rows that start elsewhere take slower
/// loads. Source: NVIDIA, Matrix Multiplication Background, section 3.
double alignment(const workload::Operator& op, const Device& device) {
  if (!starts_at(16, op)) return device.unaligned;
  return starts_at(128, op) ? 1 : device.partly_aligned;
}

KernelCost gemm_time(const workload::Operator& op, const Device& device) {
  const double rate = device.gemm_rate[static_cast<std::size_t>(op.dtype)] * alignment(op, device);
  const bool expert = op.name == workload::OpName::kExpertUp || op.name == workload::OpName::kExpertDown;
  const double compute = (expert ? device.expert_imbalance : 1) * op.flops /
                         (rate * gemm_utilisation(op.m, op.n, op.k, op.groups, device));
  return roofline(compute, op.bytes / device.memory_rate, device.launch * op.launches);
}

/// Fused attention: FLOPs over the kernel generation's rate, less for few keys (the softmax's prologue and the causal
/// edge) and narrow heads.
KernelCost attention_time(const workload::Operator& op, const Device& device, workload::Pass pass) {
  const double keys = op.window > 0 ? std::min(op.window, op.kv_length) : op.kv_length;
  const double width = std::max(1.0, std::min(op.head_dim, 128.0));
  const double ramp = keys / (keys + device.attention_ramp);
  const double head = width / (width + device.attention_head_ramp) * (128 + device.attention_head_ramp) / 128;
  const double rate = pass == workload::Pass::kForward ? device.attention_forward_rate : device.attention_backward_rate;
  return roofline(op.flops / (rate * ramp * head), op.bytes / device.memory_rate, device.launch * op.launches);
}

}  // namespace

double gemm_utilisation(double m, double n, double k, double groups, const Device& device) {
  double best = 1e-4;
  for (const auto& tile : kTiles) best = std::max(best, tile_utilisation(m, n, k, groups, tile, device));
  return best;
}

KernelCost kernel_time(const workload::Operator& op, const Device& device, workload::Pass pass) {
  switch (op.kind) {
    case workload::OpKind::kGemm:
    case workload::OpKind::kGroupedGemm: return gemm_time(op, device);
    case workload::OpKind::kAttention: return attention_time(op, device, pass);
    case workload::OpKind::kScan:
      return roofline(op.flops / device.scan_rate, op.bytes / device.memory_rate, device.launch * op.launches);
    case workload::OpKind::kElementwise: break;
  }
  return roofline(0, op.bytes / device.memory_rate, device.launch * op.launches);
}

}  // namespace headrace::cost
