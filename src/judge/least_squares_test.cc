// SPDX-License-Identifier: Apache-2.0
#include "judge/least_squares.h"

#include <gtest/gtest.h>

namespace headrace::judge {
namespace {

TEST(NormalEquations, FindTheLineThroughPoints) {
  // r + a + b x = 0 at x = 0, 1, 2 with r = −1, −3, −5: a = 1, b = 2.
  NormalEquations system(2);
  for (int x = 0; x < 3; ++x) system.observe({1, double(x)}, -1 - 2.0 * x, 1);
  const auto line = system.solve({false, false}, {0, 0});
  EXPECT_NEAR(line[0], 1, 1e-12);
  EXPECT_NEAR(line[1], 2, 1e-12);
}

TEST(NormalEquations, KeepWhatIsFixed) {
  // The same points with b held at 1: a is the mean of 1, 2, 3.
  NormalEquations system(2);
  for (int x = 0; x < 3; ++x) system.observe({1, double(x)}, -1 - 2.0 * x, 1);
  const auto line = system.solve({false, true}, {0, 1});
  EXPECT_NEAR(line[0], 2, 1e-12);
  EXPECT_EQ(line[1], 1);
}

TEST(NormalEquations, WeighObservations) {
  // x = 1 with weight 3 and x = 5 with weight 1: 2.
  NormalEquations system(1);
  system.observe(0, -1, 3);
  system.observe(0, -5, 1);
  EXPECT_NEAR(system.solve({false}, {0})[0], 2, 1e-12);
}

TEST(NormalEquations, GiveNothingWhereNothingIsKnown) {
  const NormalEquations system(2);
  EXPECT_EQ(system.solve({false, false}, {0, 0}), (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace headrace::judge
