// SPDX-License-Identifier: Apache-2.0
#include "plan/layouts.h"

#include <gtest/gtest.h>

namespace headrace::plan {
namespace {

// Six candidates, best first: TP 4, its overlap and interleaving, TP 8, TP 4 again with full recompute, TP 2.
std::vector<Candidate> six() {
  std::vector<Candidate> all(6);
  for (Candidate& c : all) c.strategy.tensor = 4;
  all[1].strategy.overlap_tensor = true;
  all[2].strategy.virtual_pipeline = 2;
  all[3].strategy.tensor = 8;
  all[4].strategy.recompute = scenario::Recompute::kFull;
  all[5].strategy.tensor = 2;
  return all;
}

TEST(Layouts, DetailsAreVariantsOfTheBest) {
  const std::vector<Layout> found = layouts(six(), 10);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].variants, 2);
  EXPECT_EQ(found[1].best.strategy.tensor, 8);
  EXPECT_EQ(found[2].best.strategy.recompute, scenario::Recompute::kFull);
  EXPECT_EQ(found[3].variants, 0);
}

TEST(Layouts, VariantsBehindTheLastLayoutStillCount) {
  std::vector<Candidate> ranked = six();
  std::swap(ranked[2], ranked[5]);
  const std::vector<Layout> found = layouts(ranked, 1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].variants, 2);
}

TEST(Layouts, MachinesAreApart) {
  std::vector<Candidate> ranked(2);
  ranked[1].machine = 1;
  EXPECT_EQ(layouts(ranked, 10).size(), 2u);
}

}  // namespace
}  // namespace headrace::plan
