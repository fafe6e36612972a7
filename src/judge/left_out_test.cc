// SPDX-License-Identifier: Apache-2.0
#include "judge/left_out.h"

#include <gtest/gtest.h>

#include "base/embedded.h"
#include "judge/doubts.h"

namespace headrace::judge {
namespace {

TEST(LeftOut, TheFileHoldsARowForEachThatIsUsed) {
  const auto catalog = *catalog::load_catalog();
  const auto table = *base::read_csv(base::embedded_text("evidence/training.csv"), "evidence/training.csv");
  const auto known = *training_cases(table, catalog);
  const auto left_out = *built_in_left_out();
  EXPECT_EQ(scored_left_out(known.cases, left_out, Fold::kSource, catalog.calibration).size(), known.cases.size())
      << "rows have come or gone: headrace fit --left-out evidence/left_out.csv";
}

TEST(LeftOut, IsWrittenAsItIsRead) {
  const LeftOut small{{Fold::kSource, {{"a", 1.5}, {"b", 20}}}, {Fold::kGroup, {{"a", 1.25}}}};
  EXPECT_EQ(left_out_csv(small), "id,source_out,accelerator_out,group_out\na,1.5,,1.25\nb,20,,\n");
}

// Two runs of one source that differ in how they split the model, and one of another length: two sweeps.
TEST(ScoredOf, RunsThatDifferInStrategyOnlyShareASweep) {
  const auto catalog = *catalog::load_catalog();
  const auto table = *base::read_csv(base::embedded_text("evidence/training.csv"), "evidence/training.csv");
  const auto known = *training_cases(table, catalog);
  TrainingCase one = known.cases.front(), other = one, longer = one;
  other.strategy.tensor *= 2;
  longer.job.sequence *= 2;
  EXPECT_EQ(scored_of(one, 1, {}).sweep, scored_of(other, 1, {}).sweep);
  EXPECT_NE(scored_of(one, 1, {}).sweep, scored_of(longer, 1, {}).sweep);
}

}  // namespace
}  // namespace headrace::judge
