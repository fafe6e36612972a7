// SPDX-License-Identifier: Apache-2.0
#include "evidence/experience.h"

#include <gtest/gtest.h>

namespace headrace::evidence {
namespace {

const Setting kMeasured{"lab", "h100", "hopper", "megatron-core", base::Dtype::kBf16, false, 512, 8192};

std::vector<std::string> gaps(const Setting& asked) {
  Experience experience;
  experience.add(kMeasured);
  std::vector<std::string> names;
  for (const Gap& gap : experience.gaps(asked)) names.push_back(gap.name);
  return names;
}

TEST(Experience, WhatWasMeasuredLeavesNoGap) {
  Setting smaller = kMeasured;
  smaller.accelerators = 8;
  smaller.sequence = 4096;
  EXPECT_TRUE(gaps(kMeasured).empty());
  EXPECT_TRUE(gaps(smaller).empty());
}

TEST(Experience, EachPartOutsideIsNamed) {
  Setting asked{"", "h200", "hopper", "jax", base::Dtype::kFp8, true, 2048, 65536};
  EXPECT_EQ(gaps(asked),
            (std::vector<std::string>{"software", "accelerator", "precision", "experts_here", "scale", "sequence"}));
  asked.family = "cdna3";
  EXPECT_EQ(gaps(asked), (std::vector<std::string>{"software", "family"}));
}

TEST(Experience, DistanceIsInDoublings) {
  Experience experience;
  experience.add(kMeasured);
  Setting asked = kMeasured;
  asked.accelerators = 2048;
  const auto found = experience.gaps(asked);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_DOUBLE_EQ(found[0].amount, 2);
  EXPECT_EQ(found[0].warning, (base::Message{"gap.scale", {"2048", "512", "hopper"}}));
}

TEST(Experience, AnUnknownSourceKnowsNothingOfItself) {
  Setting other = kMeasured;
  other.source = "elsewhere";
  other.accelerators = 64;
  const auto doubts = doubts_of(kMeasured, experience_without({kMeasured, other}, "lab"));
  EXPECT_EQ(doubts, (Doubts{{"scale", 3}}));
}

}  // namespace
}  // namespace headrace::evidence
