// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/value.h"

namespace headrace::base {
namespace {

// The error of a text as "id line:column", or "read" when it was read.
std::string outcome(const std::string& text) {
  const auto value = read_yaml(text, "f.yaml");
  if (value) return "read";
  const Error& error = value.error();
  return error.what.id + " " + std::to_string(error.where.line) + ":" + std::to_string(error.where.column);
}

Value read(const std::string& text) {
  auto value = read_yaml(text, "f.yaml");
  EXPECT_TRUE(value) << text << ": " << outcome(text);
  return value ? *value : Value();
}

TEST(YamlReader, KeepsPlacesOfValuesAndKeys) {
  const Value root = read("a: 1\nb:\n  - x\n  - {c: yes}\n");
  EXPECT_EQ(root.place(), (Place{"f.yaml", 1, 1}));
  EXPECT_EQ(root.find("a")->place(), (Place{"f.yaml", 1, 4}));
  EXPECT_EQ(root.members()[1].place, (Place{"f.yaml", 2, 1}));
  EXPECT_EQ(root.find("b")->items()[1].find("c")->place(), (Place{"f.yaml", 4, 9}));
}

TEST(YamlReader, ScalarsHaveTheTypesOfYaml12) {
  const Value root = read("[010, no, 1e9, \"8\", 8, true, null, ~, '', 0x10, 1_000, 8.0, .inf, .nan]");
  const auto& items = root.items();
  EXPECT_EQ(items[0].integer().error().what.id, "base.expected_integer");
  EXPECT_EQ(items[1].boolean().error().what.id, "base.expected_boolean");
  EXPECT_EQ(items[1].text().value(), "no");
  EXPECT_EQ(items[2].integer().value(), 1000000000);
  EXPECT_EQ(items[3].integer().error().what.id, "base.expected_integer");
  EXPECT_EQ(items[3].text().value(), "8");
  EXPECT_EQ(items[4].integer().value(), 8);
  EXPECT_TRUE(items[5].boolean().value());
  EXPECT_TRUE(items[6].is_null());
  EXPECT_TRUE(items[7].is_null());
  EXPECT_EQ(items[8].text().value(), "");
  EXPECT_EQ(items[9].integer().error().what.id, "base.expected_integer");
  EXPECT_EQ(items[10].number().error().what.id, "base.expected_number");
  EXPECT_EQ(items[11].integer().value(), 8);
  EXPECT_EQ(items[12].number().error().what.id, "base.number_range");
  EXPECT_EQ(items[13].number().error().what.id, "base.number_range");
}

TEST(YamlReader, EmptyDocumentsAreNull) {
  for (const char* text : {"", "\n", "# only a comment\n", "---\n", "\xEF\xBB\xBF"}) EXPECT_TRUE(read(text).is_null());
  EXPECT_TRUE(read("a:\n").find("a")->is_null());
}

TEST(YamlReader, MalformedTextIsAnErrorWithItsPlace) {
  EXPECT_EQ(outcome("a: 1\na: 2\n"), "base.duplicate_key 2:1");
  EXPECT_EQ(outcome("{a: 1, b: 2, a: 3}"), "base.duplicate_key 1:14");
  EXPECT_EQ(outcome("a: &x 1\n"), "yaml.anchor 1:4");
  EXPECT_EQ(outcome("a: &x [1]\nb: *x\n"), "yaml.anchor 1:4");
  EXPECT_EQ(outcome("a: !!str 1\n"), "yaml.tag 1:4");
  EXPECT_EQ(outcome("a: 1\n---\nb: 2\n"), "yaml.several_documents 2:1");
  EXPECT_EQ(outcome("[a, b]: 1\n"), "yaml.key 1:1");
  EXPECT_EQ(outcome("~: 1\n"), "yaml.key 1:1");
  EXPECT_EQ(outcome("a: [1, 2\n"), "yaml.syntax 2:1");
  EXPECT_EQ(outcome("{a: 1\n"), "yaml.key 1:1");
  EXPECT_EQ(outcome("a: \"x\n"), "yaml.open_quote 2:1");
  EXPECT_EQ(outcome("a: 1\nb: \xFF\n"), "base.not_utf8 2:4");
  EXPECT_EQ(outcome(std::string("a: 1\nb: \0\n", 10)), "base.control_character 2:4");
  EXPECT_EQ(outcome("a: \"\\0\""), "yaml.bad_escape 1:4");
  EXPECT_EQ(outcome("a: \"\\e[31m\""), "base.control_character 1:4");
  EXPECT_EQ(outcome("a: \"\\N\""), "yaml.bad_escape 1:4");
  EXPECT_EQ(outcome("\x7F"
                    "ELF"),
            "base.control_character 1:1");
  EXPECT_EQ(outcome(std::string(101, '[') + std::string(101, ']')), "base.too_deep 1:101");
  EXPECT_EQ(outcome(std::string(100, '[') + std::string(100, ']')), "read");
}

TEST(YamlReader, LimitsSize) {
  EXPECT_EQ(read_yaml("[a, b]", "f", {.values = 2}).error().what.id, "base.too_many");
  EXPECT_TRUE(read_yaml("[a, b]", "f", {.values = 3}));
  const auto value = read_yaml("aaaa", "f.yaml", {.bytes = 3});
  EXPECT_EQ(value.error().what.id, "base.too_large");
}

}  // namespace
}  // namespace headrace::base
