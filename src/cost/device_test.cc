// SPDX-License-Identifier: Apache-2.0
#include "cost/device.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headrace::cost {
namespace {

using base::Dtype;

const catalog::Catalog& shipped() {
  static const auto catalog = catalog::load_catalog();
  return *catalog;
}

/// An H100 with another power limit.
Device with_limit(std::optional<base::Watts> limit) {
  static catalog::Accelerator board;
  board = *shipped().accelerators.find("h100-sxm5-80gb");
  board.power_limit = limit;
  return *make_device(board, *shipped().software.find("megatron-core-0.11"), shipped().calibration);
}

double rate(const Device& device, Dtype dtype) { return device.gemm_rate[static_cast<std::size_t>(dtype)]; }

TEST(Device, PowerBoundClocksFollowThePowerLimit) {
  const double exponent = *shipped().calibration.value("gemm.power_exponent");
  const auto little = with_limit(base::Watts(200)), twice = with_limit(base::Watts(400));
  EXPECT_NEAR(rate(twice, Dtype::kBf16) / rate(little, Dtype::kBf16), std::pow(2, exponent), 1e-9);
}

TEST(Device, EnoughPowerOrAnUnknownLimitLeaveTheClock) {
  const auto plenty = with_limit(base::Watts(5000)), unknown = with_limit(std::nullopt);
  const double efficiency = *shipped().calibration.family_value("gemm", "hopper", "efficiency");
  EXPECT_NEAR(rate(plenty, Dtype::kBf16), 989.4e12 * efficiency, 1e6);
  EXPECT_EQ(rate(plenty, Dtype::kBf16), rate(unknown, Dtype::kBf16));
}

TEST(Device, AnUnstatedProcessIsThatOfItsYear) {
  auto board = *shipped().accelerators.find("h100-sxm5-80gb");
  const auto rate_of = [&](std::optional<double> process, std::optional<int> year) {
    board.process_nm = process;
    board.year = year;
    return rate(*make_device(board, *shipped().software.find("megatron-core-0.11"), shipped().calibration),
                Dtype::kBf16);
  };
  EXPECT_EQ(rate_of(std::nullopt, 2020), rate_of(7, 2020));
  EXPECT_LT(rate_of(std::nullopt, 2016), rate_of(std::nullopt, 2025));
  EXPECT_GT(rate_of(std::nullopt, std::nullopt), rate_of(3, 2025)) << "nothing known: the clock is left alone";
}

TEST(Device, HalfTheBitsCostHalfTheEnergy) {
  // At one power a format of 8 bits runs 2^exponent times as fast as its share of its own, doubled, peak says.
  const auto device = with_limit(base::Watts(200));
  const double wide = *shipped().calibration.family_value("gemm", "hopper", "efficiency");
  const double narrow = *shipped().calibration.family_value("gemm", "hopper", "efficiency_8bit");
  const double exponent = *shipped().calibration.value("gemm.power_exponent");
  const double full = 1979.0 * narrow / (989.4 * wide);
  EXPECT_NEAR(rate(device, Dtype::kFp8) / rate(device, Dtype::kBf16), full * std::pow(2 / full, exponent), 1e-6);
}

TEST(Device, AttentionFallsLessThanProducts) {
  const auto plenty = with_limit(base::Watts(5000)), usual = with_limit(base::Watts(700));
  EXPECT_GT(usual.attention_forward_rate / plenty.attention_forward_rate,
            rate(usual, Dtype::kBf16) / rate(plenty, Dtype::kBf16));
}

}  // namespace
}  // namespace headrace::cost
