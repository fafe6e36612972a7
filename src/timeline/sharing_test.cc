// SPDX-License-Identifier: Apache-2.0
#include "timeline/sharing.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
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

TEST(Sharing, LeftoversGoToEquals) {
  // Two transfers have half a link each; one of them wants 0.4 of compute and at half speed needs 0.2. The two products
  // have 0.4 each of the rest.
  const auto rates = shared({of(1), of(0.4, 1), of(0, 1), of(1)});
  EXPECT_NEAR(rates[0], 0.4, kTiny);
  EXPECT_NEAR(rates[1], 0.5, kTiny);
  EXPECT_NEAR(rates[2], 0.5, kTiny);
  EXPECT_EQ(rates[3], rates[0]);
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

std::array<double, kResources> used(const std::vector<Demand>& active, const std::vector<double>& rates) {
  std::array<double, kResources> used{};
  for (std::size_t i = 0; i < active.size(); ++i)
    for (std::size_t r = 0; r < kResources; ++r) used[r] += rates[i] * active[i].share[r];
  return used;
}

RC_GTEST_PROP(Sharing, NoResourceIsOverdrawnAndNoneIsLeftThatCouldHelp, ()) {
  const auto active = any_demands();
  const auto rates = shared(active);
  const auto sums = used(active, rates);
  for (const double sum : sums) RC_ASSERT(sum <= 1 + kTiny);
  for (std::size_t i = 0; i < active.size(); ++i) {
    bool held = rates[i] >= 1 - kTiny;
    for (std::size_t r = 0; r < kResources; ++r) held = held || (active[i].share[r] > 0 && sums[r] >= 1 - 1e-8);
    RC_ASSERT(held);
    RC_ASSERT(rates[i] > 0);
  }
}

RC_GTEST_PROP(Sharing, NobodyHasLessThanAnEqualPart, ()) {
  const auto active = any_demands();
  const auto rates = shared(active);
  for (std::size_t i = 0; i < active.size(); ++i) {
    double least = 1;
    for (const double share : active[i].share)
      if (share > 0) least = std::min(least, 1 / (share * double(active.size())));
    RC_ASSERT(rates[i] >= least - kTiny);
  }
}

RC_GTEST_PROP(Sharing, OrderAndNamesDoNotMatter, ()) {
  auto active = any_demands();
  active.push_back(active.front());
  const auto rates = shared(active);
  RC_ASSERT(rates.front() == rates.back());
  const std::vector<Demand> turned(active.rbegin(), active.rend());
  const auto turned_rates = shared(turned);
  for (std::size_t i = 0; i < active.size(); ++i)
    RC_ASSERT(std::abs(turned_rates[active.size() - 1 - i] - rates[i]) <= 1e-8);
}

/// One resource, filled drop by drop: everyone who wants more gets the same small part, until nothing is left.
std::vector<double> drop_by_drop(const std::vector<Demand>& active, double drop) {
  std::vector<double> part(active.size(), 0);
  for (double left = 1;;) {
    double given = 0;
    for (std::size_t i = 0; i < active.size(); ++i) {
      const double more = std::min({drop, active[i].share[0] - part[i], left - given});
      part[i] += more;
      given += more;
    }
    left -= given;
    if (given <= 0) return part;
  }
}

RC_GTEST_PROP(Sharing, OneResourceIsAsIfFilledDropByDrop, ()) {
  auto active = any_demands();
  for (Demand& demand : active) demand = of(demand.share[0]);
  constexpr double kDrop = 1e-4;
  const auto rates = shared(active);
  const auto parts = drop_by_drop(active, kDrop);
  for (std::size_t i = 0; i < active.size(); ++i)
    RC_ASSERT(std::abs(rates[i] * active[i].share[0] - parts[i]) <= kDrop);
}

/// More demand for the one resource there is never makes anybody faster.
RC_GTEST_PROP(Sharing, MoreDemandIsNeverFaster, ()) {
  auto active = any_demands();
  for (Demand& demand : active) demand = of(demand.share[0]);
  const auto before = shared(active);
  Demand& greedy = active[*rc::gen::inRange<std::size_t>(0, active.size())];
  greedy.share[0] += *rc::gen::inRange(0, 11) / 10.0 * (1 - greedy.share[0]);
  const auto after = shared(active);
  for (std::size_t i = 0; i < active.size(); ++i) RC_ASSERT(after[i] <= before[i] + kTiny);
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
