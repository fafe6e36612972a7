// SPDX-License-Identifier: Apache-2.0
#include "judge/near_duplicates.h"

#include <gtest/gtest.h>

#include "base/csv.h"
#include "base/embedded.h"

namespace headrace::judge {
namespace {

std::vector<TrainingCase> ledger(const catalog::Catalog& catalog) {
  const auto table = *base::read_csv(base::embedded_text("evidence/training.csv"), "training.csv");
  return training_cases(table, catalog)->cases;
}

// One run told of four times: by another source 1 % slower; 3 % slower; and with another strategy in the same time.
TEST(NearDuplicates, AreTheSameRunInNearlyTheSameTime) {
  const auto catalog = *catalog::load_catalog();
  const TrainingCase one = ledger(catalog).front();
  TrainingCase repeated = one, slower = one, other = one;
  repeated.source = "another";
  repeated.model = "its name there";
  repeated.measured *= 1.01;
  slower.measured *= 1.035;
  other.strategy.tensor *= 2;
  const auto found = near_duplicates({one, repeated, slower, other});
  EXPECT_EQ(found[0], std::vector<std::size_t>{1});
  EXPECT_EQ(found[1], std::vector<std::size_t>{0});
  EXPECT_TRUE(found[2].empty());
  EXPECT_TRUE(found[3].empty());
}

// arXiv 2205.05198 Table 5 stands in the ledger twice: as a repository repeats it, and as Megatron-LM's own figures.
TEST(NearDuplicates, FindTheTableThatTwoSourcesGive) {
  const auto catalog = *catalog::load_catalog();
  const auto cases = ledger(catalog);
  const auto found = near_duplicates(cases);
  int pairs = 0;
  for (std::size_t i = 0; i < cases.size(); ++i)
    for (const std::size_t other : found[i])
      pairs += cases[i].id.starts_with("seqsel-t5-") && cases[other].id.starts_with("mlm-2022-mfu-") ? 1 : 0;
  EXPECT_EQ(pairs, 3);
}

}  // namespace
}  // namespace headrace::judge
