// SPDX-License-Identifier: Apache-2.0
#include "timeline/sharing.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace headrace::timeline {
namespace {

constexpr double kTiny = 1e-9;

Demand of(double compute, double scale_up = 0, double network = 0) { return {{compute, 0, scale_up, network, 0}}; }

std::vector<double> shared(const std::vector<Demand>& active) {
  std::vector<double> rates(active.size());
  share_resources(active, rates);
  return rates;
}

TEST(Sharing, RunsAtFullSpeedWhereNothingCollides) {
  // Compute 0.9 + 0.1 = 1; the links are different ones.
  for (const double rate : shared({of(0.9), of(0.1, 1), of(0, 0, 1), of(0)})) EXPECT_DOUBLE_EQ(rate, 1);
}

TEST(Sharing, HalvesALinkForTwoTransfers) {
  const auto rates = shared({of(0, 1), of(0, 1)});
  EXPECT_DOUBLE_EQ(rates[0], 0.5);
  EXPECT_DOUBLE_EQ(rates[1], 0.5);
}

TEST(Sharing, LetsASmallShareRunAndTakesItFromTheLarge) {
  // The communication kernel wants a tenth of the multiprocessors and gets it; the product beside it has nine tenths.
  const auto rates = shared({of(1), of(0.1, 1)});
  EXPECT_DOUBLE_EQ(rates[0], 0.9);
  EXPECT_DOUBLE_EQ(rates[1], 1);
}

TEST(Sharing, WhatAnOperationCannotUseGoesToOthers) {
  // Both transfers have half the scale-up link; the second also wants all of compute, but at half speed it needs half,
  // so the product has the other half.
  const auto rates = shared({of(0, 1), of(1, 1), of(1)});
  EXPECT_DOUBLE_EQ(rates[0], 0.5);
  EXPECT_DOUBLE_EQ(rates[1], 0.5);
  EXPECT_DOUBLE_EQ(rates[2], 0.5);
  // With a third product compute runs out first, at a third each; the link then has two thirds for the transfer.
  const auto three = shared({of(0, 1), of(1, 1), of(1), of(1)});
  EXPECT_NEAR(three[0], 2.0 / 3, kTiny);
  EXPECT_NEAR(three[1], 1.0 / 3, kTiny);
  EXPECT_NEAR(three[3], 1.0 / 3, kTiny);
}

std::vector<Demand> any_demands() {
  const auto share = rc::gen::map(rc::gen::inRange(0, 21), [](int twentieths) { return twentieths / 20.0; });
  const auto demand = rc::gen::map(rc::gen::container<std::vector<double>>(kResources, share), [](const auto& shares) {
    Demand made;
    std::copy(shares.begin(), shares.end(), made.share.begin());
    return made;
  });
  return *rc::gen::container<std::vector<Demand>>(std::size_t(*rc::gen::inRange(1, 9)), demand);
}

RC_GTEST_PROP(Sharing, NoResourceIsOverdrawnAndNoneIsLeftThatCouldHelp, ()) {
  const auto active = any_demands();
  const auto rates = shared(active);
  std::array<double, kResources> used{};
  for (std::size_t i = 0; i < active.size(); ++i)
    for (std::size_t r = 0; r < kResources; ++r) used[r] += rates[i] * active[i].share[r];
  for (const double sum : used) RC_ASSERT(sum <= 1 + kTiny);
  for (std::size_t i = 0; i < active.size(); ++i) {
    bool held = rates[i] >= 1 - kTiny;
    for (std::size_t r = 0; r < kResources; ++r) held = held || (active[i].share[r] > 0 && used[r] >= 1 - 1e-6);
    RC_ASSERT(held);
    RC_ASSERT(rates[i] > 0);
  }
}

RC_GTEST_PROP(Sharing, OnOneResourceWhoIsSlowedHasTheLargestPart, ()) {
  // Max-min fairness on a single resource: nobody has more of it than one who wants more still.
  auto active = any_demands();
  for (Demand& demand : active) demand = of(demand.share[0]);
  const auto rates = shared(active);
  for (std::size_t i = 0; i < active.size(); ++i)
    for (std::size_t j = 0; j < active.size(); ++j)
      RC_ASSERT(rates[i] >= 1 - kTiny || rates[j] * active[j].share[0] <= rates[i] * active[i].share[0] + kTiny);
}

}  // namespace
}  // namespace headrace::timeline
