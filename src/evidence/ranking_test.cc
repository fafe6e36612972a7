// SPDX-License-Identifier: Apache-2.0
#include "evidence/ranking.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headrace::evidence {
namespace {

/// Five runs of one job, measured 10 to 14 s.
std::vector<Scored> five(const std::vector<double>& predicted) {
  std::vector<Scored> rows;
  for (std::size_t i = 0; i < predicted.size(); ++i)
    rows.push_back({"r", "lab", "h100", "gpt", 10 + double(i), predicted[i], "job"});
  return rows;
}

TEST(Ranking, ARightOrderIsPerfectWhateverItsScale) {
  const auto sweeps = sweeps_of(five({20, 21, 22, 23, 24}));
  ASSERT_EQ(sweeps.size(), 1U);
  EXPECT_DOUBLE_EQ(sweeps[0].spearman, 1);
  EXPECT_DOUBLE_EQ(sweeps[0].regret, 0);
}

TEST(Ranking, RegretIsWhatTheFirstChoiceCosts) {
  // Ranked first: the second best, 11 s against 10 s. Ranks 2 1 3 4 5: 1 − 6·2/(5·24) = 0.9.
  const auto sweeps = sweeps_of(five({21, 20, 22, 23, 24}));
  EXPECT_DOUBLE_EQ(sweeps[0].spearman, 0.9);
  EXPECT_NEAR(sweeps[0].regret, 0.1, 1e-12);
}

TEST(Ranking, FewerThanFiveStrategiesToldApartAreNoSweep) {
  EXPECT_TRUE(sweeps_of(five({20, 21, 22, 23})).empty());
  EXPECT_TRUE(sweeps_of(five({20, 20, 20, 20, 20})).empty());
  EXPECT_TRUE(ranking_metrics(five({20, 20, 20, 20, 20})).empty());
}

TEST(Ranking, MetricsAreTheMedianAndTheWorstSweep) {
  auto rows = five({20, 21, 22, 23, 24});
  for (Scored row : five({21, 20, 22, 23, 24})) {
    row.sweep = "other";
    rows.push_back(row);
  }
  const auto metrics = ranking_metrics(rows);
  ASSERT_EQ(metrics.size(), 2U);
  EXPECT_DOUBLE_EQ(metrics[0].value, 0.95);
  EXPECT_DOUBLE_EQ(metrics[0].worst, 0.9);
  EXPECT_NEAR(metrics[1].worst, 0.1, 1e-12);
  EXPECT_TRUE(std::isnan(metrics[0].median_ape));
}

TEST(FitRanking, SmallErrorsOfDifferencesTellMoreApart) {
  catalog::Calibration shipped;
  shipped.set("interval.ranking", {0.03, 0.001, 0.5, "1", "fitted", ""});
  const auto uncertainty = [&](double noise) {
    std::vector<Scored> rows;
    for (int i = 0; i < 6; ++i)
      rows.push_back({"r", "lab", "h100", "gpt", 10 + 0.1 * i, (10 + 0.1 * i) * (1 + (i % 2 ? noise : -noise)), "job"});
    return fit_ranking(rows, shipped).find("interval.ranking")->value;
  };
  // Of the 15 pairs 9 lie across the noise, of which the sixth tenth is one: its full swing.
  EXPECT_NEAR(uncertainty(0.02), std::log(1.02 / 0.98), 1e-3);
  EXPECT_LT(uncertainty(0.002), uncertainty(0.02));
}

}  // namespace
}  // namespace headrace::evidence
