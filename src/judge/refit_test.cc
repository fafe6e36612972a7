// SPDX-License-Identifier: Apache-2.0
#include "judge/refit.h"

#include <gtest/gtest.h>

namespace headrace::judge {
namespace {

TEST(Refit, KeepsEveryConstantInItsRangeAndSaysWhatIsBehindIt) {
  const auto catalog = *catalog::load_catalog();
  const auto fresh = refit(catalog, *built_in_left_out(), {});
  ASSERT_TRUE(fresh);
  ASSERT_FALSE(fresh->constants.empty());
  for (const auto& one : fresh->constants) {
    EXPECT_GE(one.fitted.value, one.fitted.low) << one.key;
    EXPECT_LE(one.fitted.value, one.fitted.high) << one.key;
    EXPECT_FALSE(one.fitted.unit.empty()) << one.key;
    EXPECT_FALSE(one.fitted.evidence.empty()) << one.key;
    EXPECT_TRUE(one.key.starts_with("interval.") || one.fitted.rows > 0) << one.key << " has nothing to be fitted to";
  }
}

TEST(Refit, DoesNotDependOnWhatIsShipped) {
  // Fitted values are scattered over their ranges; a fit that starts from the middle gives the same.
  const auto catalog = *catalog::load_catalog();
  auto scattered = catalog;
  for (const auto& [key, constant] : catalog.calibration.all()) {
    if (constant.basis != "fitted" || key.starts_with("interval.")) continue;
    auto moved = constant;
    moved.value = constant.low + 0.9 * (constant.high - constant.low);
    scattered.calibration.set(key, moved);
  }
  const auto once = refit(catalog, *built_in_left_out(), {}), again = refit(scattered, *built_in_left_out(), {});
  ASSERT_TRUE(once && again);
  for (std::size_t i = 0; i < once->constants.size(); ++i)
    if (!once->constants[i].key.starts_with("interval.")) {
      EXPECT_EQ(once->constants[i].fitted.value, again->constants[i].fitted.value) << once->constants[i].key;
    }
}

}  // namespace
}  // namespace headrace::judge
