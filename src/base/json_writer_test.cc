// SPDX-License-Identifier: Apache-2.0
#include "base/json_writer.h"

#include <gtest/gtest.h>

#include <limits>

namespace headrace::base {
namespace {

TEST(JsonWriter, WritesTwoSpaceIndentation) {
  JsonWriter out;
  out.begin_object().member("a", 1).key("b").begin_array().number(0.5).null().boolean(true).begin_object().end_object();
  out.end_array().key("c").begin_array().end_array().member("d", "x").end_object();
  EXPECT_EQ(out.take(), R"({
  "a": 1,
  "b": [
    0.5,
    null,
    true,
    {}
  ],
  "c": [],
  "d": "x"
}
)");
}

TEST(JsonWriter, WritesSmallObjectsOnOneLine) {
  JsonWriter out;
  out.begin_array().begin_line().member("a", 1).key("b").begin_object().member("c", 2).end_object().end_object();
  out.begin_line().end_object().end_array();
  EXPECT_EQ(out.take(), "[\n  {\"a\": 1, \"b\": {\"c\": 2}},\n  {}\n]\n");
}

std::string number(double value) {
  JsonWriter out;
  std::string text = out.number(value).take();
  text.pop_back();
  return text;
}

TEST(JsonWriter, NumbersHaveTheFewestDigitsThatReadBack) {
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(3), "3");
  EXPECT_EQ(number(1e6), "1000000");
  EXPECT_EQ(number(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(number(1e22), "1e+22");
  EXPECT_EQ(number(2.5e-9), "2.5e-09");
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "null");
}

TEST(JsonWriter, TextsAreEscapedAndAlwaysUtf8) {
  JsonWriter out;
  EXPECT_EQ(out.text("\"\\\n\t\x01中\xFF").take(), "\"\\\"\\\\\\n\\t\\u0001中\xEF\xBF\xBD\"\n");
}

}  // namespace
}  // namespace headrace::base
