// SPDX-License-Identifier: Apache-2.0
#include "cost/kernels.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace headrace::cost {
namespace {

using base::Dtype;

/// 100 multiprocessors, 100 TFLOP/s of bf16, 1 TB/s, no overheads.
Device small_device() {
  Device device;
  device.multiprocessors = 100;
  device.gemm_rate[static_cast<std::size_t>(Dtype::kBf16)] = 100e12;
  device.memory_rate = 1e12;
  device.attention_forward_rate = 60e12;
  device.attention_backward_rate = 50e12;
  return device;
}

workload::Operator product(double m, double n, double k) {
  workload::Operator op;
  op.kind = workload::OpKind::kGemm;
  op.m = m;
  op.n = n;
  op.k = k;
  op.flops = 2 * m * n * k;
  op.bytes = 2 * (m * k + k * n + m * n);
  return op;
}

TEST(Kernels, AProductOfWholeWavesReachesTheFullRate) {
  // 10×256 by 20×128: 10×20 tiles of 256×128 = two full waves of 100.
  const auto op = product(2560, 2560, 8192);
  const auto cost = kernel_time(op, small_device());
  EXPECT_EQ(cost.bound, Bound::kCompute);
  EXPECT_NEAR(cost.time.value(), op.flops / 100e12, 1e-12);
}

TEST(Kernels, RowsOffTheLinesOfMemoryAreSlower) {
  auto device = small_device();
  device.partly_aligned = 0.8;
  device.unaligned = 0.5;
  const auto share = [&](double n) {
    const auto op = product(2560, n, 8192);
    const double utilisation = gemm_utilisation(op.m, op.n, op.k, 1, device);
    return op.flops / (100e12 * utilisation) / kernel_time(op, device).time.value();
  };
  EXPECT_NEAR(share(2560), 1, 1e-9);
  EXPECT_NEAR(share(2568), 0.8, 1e-9) << "a multiple of 16 bytes, not of 128";
  EXPECT_NEAR(share(2561), 0.5, 1e-9);
}

TEST(Kernels, AThinProductStreamsItsWeights) {
  const auto op = product(1, 8192, 8192);
  const auto cost = kernel_time(op, small_device());
  EXPECT_EQ(cost.bound, Bound::kMemory);
  EXPECT_NEAR(cost.time.value(), op.bytes / 1e12, 1e-12);
}

TEST(Kernels, OneTileMoreThanAWaveCostsASecondWave) {
  auto device = small_device();
  const double full = gemm_utilisation(128 * 100, 256, 4096, 1, device);
  const double more = gemm_utilisation(128 * 100, 256 + 256 * 0.1, 4096, 1, device);
  EXPECT_LT(more, full);
}

TEST(Kernels, AttentionWithFewKeysIsSlowerPerFlop) {
  auto device = small_device();
  device.attention_ramp = 500;
  workload::Operator op;
  op.kind = workload::OpKind::kAttention;
  op.head_dim = 128;
  op.flops = 1e12;
  op.kv_length = 500;
  EXPECT_NEAR(kernel_time(op, device).time.value(), 2 * op.flops / 60e12, 1e-9);
  EXPECT_GT(kernel_time(op, device, workload::Pass::kBackward).time, kernel_time(op, device).time);
}

RC_GTEST_PROP(Kernels, MoreRateOrBandwidthIsNeverSlower, ()) {
  const auto op = product(*rc::gen::inRange(1, 20000), *rc::gen::inRange(1, 20000), *rc::gen::inRange(1, 20000));
  auto device = small_device();
  device.launch = 2e-6;
  const auto before = kernel_time(op, device).time;
  const double factor = 1 + *rc::gen::inRange(0, 1000) / 100.0;
  auto faster = device;
  faster.gemm_rate[static_cast<std::size_t>(Dtype::kBf16)] *= factor;
  RC_ASSERT(kernel_time(op, faster).time <= before);
  faster = device;
  faster.memory_rate *= factor;
  RC_ASSERT(kernel_time(op, faster).time <= before);
  RC_ASSERT(before.value() >= op.flops / 100e12 * (1 - 1e-12));
}

}  // namespace
}  // namespace headrace::cost
