// SPDX-License-Identifier: Apache-2.0
#include "evidence/interval.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace headrace::evidence {
namespace {

/// Constants of an output "x" with one doubt, "rare", all at 1.
catalog::Calibration blank() {
  catalog::Calibration out;
  for (const char* name : {"interval.x.low", "interval.x.constant.low"}) out.set(name, {1, 0.01, 1, "1", "fitted", ""});
  for (const char* name : {"interval.x.high", "interval.x.constant.high", "interval.x.wider.rare"})
    out.set(name, {1, 1, 8, "1", "fitted", ""});
  return out;
}

/// A row of a source's only group, `log_ratio` above its prediction.
Scored row_of(const std::string& source, double log_ratio, Doubts doubts = {}) {
  return {"id", source, "x", "m", std::exp(log_ratio), 1, "", std::move(doubts)};
}

/// Twenty sources of one group each, errors spread evenly over ±10 %; where `rare`, over ±40 %.
std::vector<Scored> even_spread() {
  std::vector<Scored> out;
  for (int source = 0; source < 20; ++source) {
    const double rare = source % 2;
    for (int i = -10; i <= 10; ++i)
      out.push_back(row_of(std::to_string(source), (rare > 0 ? 0.04 : 0.01) * i, {{"rare", rare}}));
  }
  return out;
}

TEST(Interval, OneWidthKeepsEightOfTen) {
  // The middle 80 % of an even spread over ±10 % is ±8 %; no doubt is known, so both ends are the constant's.
  std::vector<Scored> usual;
  for (const Scored& one : even_spread())
    if (one.doubts.at("rare") == 0) usual.push_back(one);
  const auto fitted = fit_interval("x", usual, blank());
  const auto interval = *interval_of("x", {}, fitted);
  EXPECT_NEAR(std::log(interval.low), -0.08, 0.005);
  EXPECT_NEAR(std::log(interval.high), 0.08, 0.005);
  EXPECT_DOUBLE_EQ(constant_interval("x", fitted)->high, interval.high);
}

TEST(Interval, ADoubtThatErrsFourTimesAsMuchIsWider) {
  const auto fitted = fit_interval("x", even_spread(), blank());
  const double usual = std::log(interval_of("x", {}, fitted)->high);
  const double rare = std::log(interval_of("x", {{"rare", 1}}, fitted)->high);
  EXPECT_NEAR(rare / usual, 4, 1);
  EXPECT_LT(usual, std::log(constant_interval("x", fitted)->high));
}

TEST(Interval, ADoubtThatTellsNothingWidensNothing) {
  auto rows = even_spread();
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].doubts = {{"rare", double(i % 3 == 0)}};
  EXPECT_NEAR(fit_interval("x", rows, blank()).find("interval.x.wider.rare")->value, 1, 0.25);
}

TEST(Interval, ALargeGroupCannotBuyItsWidth) {
  // One group of 1000 exact rows beside nineteen whose one row each errs by ±20 %.
  std::vector<Scored> rows;
  for (int i = 0; i < 1000; ++i) rows.push_back(row_of("large", 0));
  for (int i = 0; i < 19; ++i) rows.push_back(row_of(std::to_string(i), i % 2 ? 0.2 : -0.2));
  EXPECT_NEAR(std::log(interval_of("x", {}, fit_interval("x", rows, blank()))->high), 0.2, 1e-9);
}

TEST(Interval, ARowIsJudgedWithoutItsOwnSource) {
  auto before = even_spread(), after = before;
  for (Scored& one : after)
    if (one.source == "3") one.measured = std::pow(one.measured, 100);
  give_cross_conformal_intervals("x", blank(), before);
  give_cross_conformal_intervals("x", blank(), after);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i].source == "3") {
      EXPECT_EQ(before[i].interval->interval.high, after[i].interval->interval.high);
    } else {
      EXPECT_LT(before[i].interval->constant.high, after[i].interval->constant.high);
    }
  }
}

TEST(Interval, NothingKnownGivesNoInterval) {
  EXPECT_FALSE(interval_of("y", {}, blank()));
  EXPECT_FALSE(constant_interval("y", blank()));
}

RC_GTEST_PROP(Interval, LowIsNeverAboveNorHighBelowThePrediction, (const std::vector<std::pair<int, int>>& errors)) {
  std::vector<Scored> rows;
  for (const auto& [source, error] : errors) rows.push_back(row_of(std::to_string(source % 7), error % 100 / 50.0));
  const auto interval = *interval_of("x", {{"rare", 2}}, fit_interval("x", rows, blank()));
  RC_ASSERT(interval.low <= 1);
  RC_ASSERT(interval.high >= 1);
}

TEST(IntervalScore, IsTheWidthAndTenTimesTheMiss) {
  const Factors interval{std::exp(-0.1), std::exp(0.2)};
  EXPECT_NEAR(interval_score(0.05, interval), 0.3, 1e-12);
  EXPECT_NEAR(interval_score(0.25, interval), 0.3 + 0.5, 1e-12);
  EXPECT_NEAR(interval_score(-0.15, interval), 0.3 + 0.5, 1e-12);
}

}  // namespace
}  // namespace headrace::evidence
