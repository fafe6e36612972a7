// SPDX-License-Identifier: Apache-2.0
#include "judge/memory_facts.h"

#include <gtest/gtest.h>

namespace headrace::judge {
namespace {

constexpr const char* kFacts = R"(frameworks:
  - {words: [swift, megatron], software: a}
  - {words: [swift], until: 2023, software: b, sets: {recompute: full}}
  - {words: [swift], software: c}
phrases:
  - {says: "# trainable parameters", sets: trainable, to: "#"}
  - {says: "rank #", sets: rank, to: "#"}
  - {says: "no compile", sets: compiled, to: "false"}
  - {column: unit, says: reserved, sets: quantity, to: reserved}
)";

MemoryFacts facts() { return read_memory_facts(kFacts, "facts.yaml").value(); }

std::map<std::string, std::string> settings(const std::string& notes, const std::string& unit) {
  const auto table = base::read_csv("notes,unit\n\"" + notes + "\"," + unit + "\n", "rows.csv").value();
  return facts().settings(table, table.rows().front());
}

TEST(MemoryFacts, TakeTheFirstFrameworkWhoseWordsAllStand) {
  const MemoryFacts read = facts();
  EXPECT_EQ(read.framework("ms-swift (Megatron-Core)", 2025)->software, "a");
  EXPECT_EQ(read.framework("ms-swift", 2023)->software, "b");
  EXPECT_EQ(read.framework("ms-swift", 2023)->sets.at("recompute"), "full");
  EXPECT_EQ(read.framework("ms-swift", 2024)->software, "c");
  EXPECT_EQ(read.framework("another", 2024), nullptr);
}

TEST(MemoryFacts, ReadNumbersWhereAPhraseHasAHash) {
  const auto found =
      settings("LoRA fine-tuning, 4,194,304 trainable parameters; lora_rank 8. No compile", "GiB_reserved");
  EXPECT_EQ(found.at("trainable"), "4194304");
  EXPECT_EQ(found.at("rank"), "8");
  EXPECT_EQ(found.at("compiled"), "false");
  EXPECT_EQ(found.at("quantity"), "reserved");
  EXPECT_TRUE(settings("max_rank reported; rank unknown", "GB").empty());
}

TEST(MemoryFacts, AnUnknownKeyIsAnErrorWithItsPlace) {
  const auto read = read_memory_facts("frameworks: []\nphrases:\n  - {says: x, sets: y, too: z}\n", "facts.yaml");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().where.line, 3);
}

TEST(MemoryFacts, TheShippedFileLoads) { EXPECT_TRUE(load_memory_facts()); }

}  // namespace
}  // namespace headrace::judge
