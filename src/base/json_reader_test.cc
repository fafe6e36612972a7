// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/value.h"

namespace headrace::base {
namespace {

// The error of a text as "id line:column", or "read" when it was read.
std::string outcome(const std::string& text) {
  const auto value = read_json(text, "f.json");
  if (value) return "read";
  const Error& error = value.error();
  return error.what.id + " " + std::to_string(error.where.line) + ":" + std::to_string(error.where.column);
}

TEST(JsonReader, KeepsPlacesAndKinds) {
  const Value root = read_json("{\n  \"a\": [1, \"2\", null],\n  \"b\": {\"c\": true}\n}\n", "f.json").value();
  EXPECT_EQ(root.find("a")->place(), (Place{"f.json", 2, 8}));
  EXPECT_EQ(root.find("a")->items()[1].place(), (Place{"f.json", 2, 12}));
  EXPECT_EQ(root.members()[1].place, (Place{"f.json", 3, 3}));
  EXPECT_EQ(root.find("a")->items()[0].integer().value(), 1);
  EXPECT_TRUE(root.find("a")->items()[1].quoted());
  EXPECT_TRUE(root.find("a")->items()[2].is_null());
  EXPECT_TRUE(root.find("b")->find("c")->boolean().value());
}

TEST(JsonReader, PythonsNumbersAreReadAndAreOutsideTheRange) {
  const Value root = read_json("[NaN, Infinity, -Infinity, 1e400]", "f.json").value();
  for (const Value& item : root.items()) EXPECT_EQ(item.number().error().what.id, "base.number_range");
}

TEST(JsonReader, DecodesEscapes) {
  EXPECT_EQ(read_json(R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u4e2d\ud83d\ude00")", "f")->raw(), "\"\\/\b\f\n\r\tAé中😀");
}

TEST(JsonReader, MalformedTextIsAnErrorWithItsPlace) {
  EXPECT_EQ(outcome(""), "json.ends_early 1:1");
  EXPECT_EQ(outcome("  \n "), "json.ends_early 2:2");
  EXPECT_EQ(outcome("{"), "json.ends_early 1:2");
  EXPECT_EQ(outcome("{\"a\""), "json.ends_early 1:5");
  EXPECT_EQ(outcome("{\"a\":"), "json.ends_early 1:6");
  EXPECT_EQ(outcome("{\"a\": 1"), "json.ends_early 1:8");
  EXPECT_EQ(outcome("{\"a\": 1,}"), "json.expected_key 1:9");
  EXPECT_EQ(outcome("[1,]"), "json.expected_value 1:4");
  EXPECT_EQ(outcome("[1 2]"), "json.expected_comma 1:4");
  EXPECT_EQ(outcome("{a: 1}"), "json.expected_key 1:2");
  EXPECT_EQ(outcome("{\"a\" 1}"), "json.expected_colon 1:6");
  EXPECT_EQ(outcome("{\"a\": 1,\n \"a\": 2}"), "base.duplicate_key 2:2");
  EXPECT_EQ(outcome("{} {}"), "json.after_end 1:4");
  EXPECT_EQ(outcome("\"abc"), "json.ends_early 1:5");
  EXPECT_EQ(outcome("\"a\nb\""), "json.raw_control 1:3");
  EXPECT_EQ(outcome(R"("\x")"), "json.bad_escape 1:2");
  EXPECT_EQ(outcome(R"("\ud800")"), "json.bad_escape 1:2");
  EXPECT_EQ(outcome(R"("\udc00\ud800")"), "json.bad_escape 1:2");
  EXPECT_EQ(outcome(R"("\u0000")"), "json.bad_escape 1:2");
  EXPECT_EQ(outcome(R"("\u12)"), "json.bad_escape 1:2");
  EXPECT_EQ(outcome("\"\xC3\x28\""), "base.not_utf8 1:2");
  EXPECT_EQ(outcome(std::string("[\0]", 3)), "base.control_character 1:2");
  EXPECT_EQ(outcome(std::string(1 << 20, '[')), "base.too_deep 1:101");
  EXPECT_EQ(outcome(std::string(100, '[') + std::string(100, ']')), "read");
  for (const char* word : {"True", "nul", "01", "+1", "1.", ".5", "1e", "0x1", "-", "inf", "nan", "1_0", "'a'", "//"}) {
    EXPECT_EQ(outcome(word), "json.unknown_word 1:1") << word;
  }
}

TEST(JsonReader, LimitsSize) {
  EXPECT_EQ(read_json("[1, 2]", "f", {.values = 2}).error().what.id, "base.too_many");
  EXPECT_TRUE(read_json("[1, 2]", "f", {.values = 3}));
  EXPECT_EQ(read_json("[1, 2]", "f", {.bytes = 5}).error().what.id, "base.too_large");
}

TEST(JsonReader, AnyTruncationIsAnError) {
  const std::string text = R"({"a": [1.5, true, "x\n"], "b": {"c": null}})";
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_NE(outcome(text.substr(0, length)), "read") << length;
  }
  EXPECT_EQ(outcome(text), "read");
}

}  // namespace
}  // namespace headrace::base
