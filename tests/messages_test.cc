// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "base/value.h"

namespace headrace::tests {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

base::Value catalogue() {
  auto document = base::read_yaml(read(fs::path(HEADRACE_SOURCE_DIR) / "src/report/messages.yaml"), "messages.yaml");
  return document ? *document : base::Value();
}

/// Every "a.b" and "a.b." in string literals of the sources, tests aside: the ids, the starts of ids, and other dotted
/// words.
std::set<std::string> dotted_literals() {
  std::set<std::string> words;
  const std::regex literal("\"([a-z_0-9]+\\.[a-z_0-9.]*)\"");
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(HEADRACE_SOURCE_DIR) / "src")) {
    const std::string name = entry.path().filename().string();
    const bool source = name.ends_with(".cc") || name.ends_with(".h");
    if (!source || name.ends_with("_test.cc") || name.ends_with("_bench.cc")) continue;
    const std::string text = read(entry.path());
    for (std::sregex_iterator it(text.begin(), text.end(), literal), end; it != end; ++it) words.insert((*it)[1]);
  }
  return words;
}

/// Ids that one file of facts names: catalogue kinds, units and the like reach the sentences through data.
std::set<std::string> reached_by_data() { return {"note"}; }

TEST(Messages, StandSortedWithBothLanguages) {
  const base::Value document = catalogue();
  ASSERT_TRUE(document.is_map());
  std::string before;
  for (const auto& member : document.members()) {
    EXPECT_LT(before, member.key) << "not sorted";
    before = member.key;
    for (const char* tongue : {"en", "zh"}) {
      const base::Value* text = member.value.find(tongue);
      ASSERT_NE(text, nullptr) << member.key;
      EXPECT_FALSE(text->raw().empty() && member.key != "list.comma") << member.key;
    }
  }
}

TEST(Messages, FillTheSameSlotsInBothLanguages) {
  const base::Value document = catalogue();
  for (const auto& member : document.members()) {
    for (const char* slot : {"{0}", "{1}", "{2}", "{3}", "{4}"}) {
      const bool en = member.value.find("en")->raw().find(slot) != std::string::npos;
      const bool zh = member.value.find("zh")->raw().find(slot) != std::string::npos;
      EXPECT_EQ(en, zh) << member.key << " " << slot;
    }
  }
}

// An id is used when it stands whole in a literal, or when a literal ends in "." and starts it ("strategy.recompute_"
// likewise).
TEST(Messages, AreAllUsed) {
  const std::set<std::string> literals = dotted_literals();
  const std::set<std::string> by_data = reached_by_data();
  const base::Value document = catalogue();
  for (const auto& member : document.members()) {
    bool used = literals.contains(member.key) || by_data.contains(member.key);
    for (const std::string& literal : literals) {
      const bool start = literal.ends_with('.') || literal.ends_with('_');
      used = used || (start && member.key.starts_with(literal));
    }
    EXPECT_TRUE(used) << member.key << " is said nowhere";
  }
}

// Of the dotted words whose first part is that of an id, those not in the catalogue must be keys of the calibration or
// of a document.
TEST(Messages, AreAllThere) {
  const base::Value document = catalogue();
  std::set<std::string> rooms;
  for (const auto& member : document.members()) rooms.insert(member.key.substr(0, member.key.find('.')));
  std::string others;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(HEADRACE_SOURCE_DIR) / "catalog")) {
    if (entry.path().extension() == ".yaml") others += read(entry.path());
  }
  const std::set<std::string> paths{"center.platform", "center.network"};
  for (const std::string& literal : dotted_literals()) {
    if (!rooms.contains(literal.substr(0, literal.find('.')))) continue;
    if (literal.ends_with('.') || literal.ends_with('_') || literal.ends_with(".yaml") || literal.ends_with(".json"))
      continue;
    const bool constant = others.find(literal) != std::string::npos;
    EXPECT_TRUE(document.find(literal) || constant || paths.contains(literal)) << literal << " has no sentence";
  }
}

}  // namespace
}  // namespace headrace::tests
