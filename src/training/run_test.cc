// SPDX-License-Identifier: Apache-2.0
#include "training/run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace headrace::training {
namespace {

constexpr double kHour = 3600;
constexpr double kEndless = std::numeric_limits<double>::infinity();

// One failure in 10 hours, a write of 50 s that blocks, restarts in 10 minutes: Young's interval is
// sqrt(2 · 50 s · 36,000 s) = 1,897.4 s.
RunConditions small() {
  return {.work = kEndless, .failures = 1 / (10 * kHour), .downtime = 600, .write = 50, .blocked = 50};
}

TEST(Run, YoungsIntervalBySquareRoot) { EXPECT_NEAR(young_interval(small()), std::sqrt(2.0 * 50 * 36000), 1e-9); }

// Expanding (1 − x) · exp(x) = exp(−c) gives x = sqrt(2c) − 2c/3: Young's interval less two thirds of the write, 1,864
// s.
TEST(Run, ExactOptimumSolvesItsEquationAndLiesBelowYoungs) {
  const RunConditions run = small();
  const double interval = best_interval(run);
  EXPECT_NEAR(interval, young_interval(run) - 2 * 50.0 / 3, 0.5);
  const double x = interval * run.failures;
  EXPECT_NEAR((1 - x) * std::exp(x + run.blocked * run.failures), 1, 1e-12);
}

TEST(Run, NoOtherIntervalIsBetterThanTheOptimum) {
  for (const double blocked : {0.5, 50.0, 3000.0, 40000.0}) {
    RunConditions run = small();
    run.write = run.blocked = blocked;
    // An interval below the write is not allowed, so only what lies above it may be compared.
    const double best = best_interval(run);
    const double ratio = effective_ratio(run, best);
    for (const double other : {0.8, 0.99, 1.01, 1.25}) {
      if (other * best < blocked) continue;
      EXPECT_LE(effective_ratio(run, other * best), ratio * (1 + 1e-12)) << blocked;
    }
  }
}

// 1 − N·r·(u + t/2) over 1 + w/t is the first order (arXiv 2410.21680): with t = 1,897 s it gives
// (1 − (600 + 949)/36,000) / (1 + 50/1,897) = 0.9324.
TEST(Run, RatioAgreesWithTheFirstOrderWhereFailuresAreRare) {
  const RunConditions run = small();
  const double t = young_interval(run);
  const double first_order = (1 - run.failures * (run.downtime + t / 2)) / (1 + run.write / t);
  EXPECT_NEAR(effective_ratio(run, t), first_order, 0.003);
}

TEST(Run, WithoutFailuresOnlyTheWritesCost) {
  RunConditions run = small();
  run.failures = 0;
  run.work = 950;
  EXPECT_EQ(best_interval(run), 950);
  EXPECT_DOUBLE_EQ(effective_ratio(run, 950), 0.95);
}

// A write that blocks 1 s of its 50 may start again only when the last is safe, and a failure loses the 49 s too.
TEST(Run, AsynchronousWritesAreNoFasterThanTheStorage) {
  RunConditions run = small();
  run.blocked = 0;
  EXPECT_EQ(best_interval(run), 50);
  run.blocked = 1;
  EXPECT_GT(effective_ratio(run, best_interval(run)), effective_ratio(small(), best_interval(small())));
}

TEST(Run, IntervalIsNeverLongerThanTheRun) {
  RunConditions run = small();
  run.work = 100;
  EXPECT_EQ(best_interval(run), 100);
}

}  // namespace
}  // namespace headrace::training
