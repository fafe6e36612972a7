// SPDX-License-Identifier: Apache-2.0
#include "evidence/score.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headrace::evidence {
namespace {

/// Three groups: a large one 10 % high throughout, one 30 % low, one exact.
std::vector<Scored> three_groups() {
  std::vector<Scored> rows;
  for (int i = 0; i < 10; ++i) rows.push_back({"a", "big", "x", "m", 1.0, 1.1});
  rows.push_back({"b", "small", "x", "m", 1.0, 0.7});
  rows.push_back({"c", "tiny", "x", "m", 2.0, 2.0});
  return rows;
}

TEST(Score, ALargeGroupCountsOnceInTheHeadline) {
  auto rows = three_groups();
  rows.erase(rows.begin() + 1, rows.begin() + 10);
  const auto few = score("step_time", rows), many = score("step_time", three_groups());
  EXPECT_NEAR(many.median_ape, 0.1, 1e-12);
  EXPECT_DOUBLE_EQ(few.median_ape, many.median_ape);
  EXPECT_NEAR(many.bias, 0.1, 1e-12);
  EXPECT_NEAR(many.mean_ape, 1.3 / 12, 1e-12);
}

TEST(Score, IntervalsAreScoredByGroup) {
  // All within ±20 % but the small group's row, which measured 1/0.7 = 1.43 of the prediction: one group of three.
  auto rows = three_groups();
  EXPECT_TRUE(std::isnan(score("step_time", rows).coverage_80));
  for (auto& row : rows) row.interval = Judged{{0.8, 1.2}, {0.5, 2}};
  const auto metric = score("step_time", rows);
  EXPECT_NEAR(metric.coverage_80, 2.0 / 3, 1e-12);
  EXPECT_NEAR(metric.half_width, 0.2, 1e-12);
  EXPECT_NEAR(metric.constant_interval_score, std::log(4), 1e-12);
  EXPECT_NEAR(metric.interval_score, std::log(1.5) + 10 * std::log(1 / 0.7 / 1.2) / 3, 1e-12);
}

TEST(Score, TheWorstGroupComesFirst) {
  const auto groups = group_scores(three_groups());
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].source, "small");
  EXPECT_NEAR(groups[0].bias, -0.3, 1e-12);
  EXPECT_EQ(groups[1].used, 10);
}

}  // namespace
}  // namespace headrace::evidence
