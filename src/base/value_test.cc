// SPDX-License-Identifier: Apache-2.0
#include "base/value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace headrace::base {
namespace {

using testing::ElementsAre;

Value plain(const std::string& text) { return Value::scalar({"f", 3, 5}, text, false); }

std::string integer_outcome(const std::string& text) {
  const auto integer = plain(text).integer();
  return integer ? std::to_string(*integer) : integer.error().what.id;
}

TEST(Value, IntegersAreDecimalAndExact) {
  EXPECT_EQ(integer_outcome("0"), "0");
  EXPECT_EQ(integer_outcome("-12"), "-12");
  EXPECT_EQ(integer_outcome("+12"), "12");
  EXPECT_EQ(integer_outcome("1e9"), "1000000000");
  EXPECT_EQ(integer_outcome("2.5e3"), "2500");
  EXPECT_EQ(integer_outcome("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(integer_outcome("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(integer_outcome("9223372036854775808"), "base.integer_range");
  EXPECT_EQ(integer_outcome("1e16"), "base.integer_range");
  EXPECT_EQ(integer_outcome("1e999"), "base.integer_range");
  EXPECT_EQ(integer_outcome("NaN"), "base.number_range");
  for (const char* text : {"2.5", "1e-3", "010", "00", "0x10", "1_000", "1,000", "", "-", "+", ".", "1 ", "١", "e9",
                           "1e", "1e+", "--1", "+-1", "true"}) {
    EXPECT_EQ(integer_outcome(text), "base.expected_integer") << text;
  }
}

TEST(Value, NumbersAreFinite) {
  EXPECT_EQ(plain(".5").number().value(), 0.5);
  EXPECT_EQ(plain("-1.25e2").number().value(), -125);
  EXPECT_EQ(plain("1e-999").number().value(), 0);
  for (const char* text : {"1e999", "-1e999", "NaN", "Infinity", "-Infinity", ".inf", "-.INF", ".nan"}) {
    EXPECT_EQ(plain(text).number().error().what.id, "base.number_range") << text;
  }
  EXPECT_EQ(plain("nan").number().error().what.id, "base.expected_number");
  EXPECT_EQ(Value::scalar({}, "8", true).number().error().what.id, "base.expected_number");
}

TEST(Value, ErrorsSayWhereAndWhatWasFound) {
  const Error error = plain("eight").integer().error();
  EXPECT_EQ(error.where, (Place{"f", 3, 5}));
  EXPECT_THAT(error.what.arguments, ElementsAre("'eight'"));
  EXPECT_THAT(Value::scalar({}, "8", true).integer().error().what.arguments, ElementsAre("\"8\""));
  EXPECT_THAT(Value::list({}, {}).text().error().what.arguments, ElementsAre("[…]"));
  EXPECT_THAT(plain(std::string(1000, 'x')).integer().error().what.arguments[0].size(), testing::Lt(80u));
}

TEST(Value, KindsAreMessageIds) {
  EXPECT_EQ(plain("8").kind_id(), "kind.number");
  EXPECT_EQ(Value::scalar({}, "8", true).kind_id(), "kind.text");
  EXPECT_EQ(plain("true").kind_id(), "kind.boolean");
  EXPECT_EQ(plain("yes").kind_id(), "kind.text");
  EXPECT_EQ(Value::map({}, {}).kind_id(), "kind.map");
  EXPECT_EQ(Value().kind_id(), "kind.null");
}

TEST(Value, SetReplacesOrAppends) {
  Value map = Value::map({}, {});
  map.set("a", plain("1"));
  map.set("b", plain("2"));
  map.set("a", plain("3"));
  ASSERT_EQ(map.members().size(), 2u);
  EXPECT_EQ(map.find("a")->raw(), "3");
}

Value sample() {
  return read_yaml("nodes: 8\nname: x\nempty:\nlist: [a, b]\nflag: true\nshare: 0.5\n", "s.yaml").value();
}

TEST(Fields, ReadsByNameWithinBounds) {
  const Value map = sample();
  Fields fields(map);
  EXPECT_EQ(fields.integer("nodes", {1, 10}).value(), 8);
  EXPECT_EQ(fields.text("name").value(), "x");
  EXPECT_EQ(fields.text_or("empty", "other").value(), "other");
  EXPECT_THAT(fields.texts("list").value(), ElementsAre("a", "b"));
  EXPECT_THAT(fields.texts("name").value(), ElementsAre("x"));
  EXPECT_TRUE(fields.texts("absent").value().empty());
  EXPECT_TRUE(fields.boolean_or("flag", false).value());
  EXPECT_EQ(fields.number("share", {0, 1}).value(), 0.5);
  EXPECT_EQ(fields.maybe_integer("absent", {1, 2}).value(), std::nullopt);
  EXPECT_TRUE(fields.finish());
}

TEST(Fields, NamesTheBoundsOfANumberThatBreaksThem) {
  const Value map = sample();
  Fields fields(map);
  const Error error = fields.integer("nodes", {1, 4}).error();
  EXPECT_EQ(error.what.id, "base.out_of_range");
  EXPECT_THAT(error.what.arguments, ElementsAre("nodes", "'8'", "1", "4"));
  EXPECT_EQ(error.where, (Place{"s.yaml", 1, 8}));
}

TEST(Fields, OffersTheNearestKeyForAnUnknownOne) {
  const Value map = read_yaml("nodes: 8\nnetwrok: x\n", "s.yaml").value();
  Fields fields(map);
  EXPECT_TRUE(fields.integer("nodes", {1, 10}));
  EXPECT_EQ(fields.optional("network"), nullptr);
  const Error error = fields.finish().error();
  EXPECT_EQ(error.what.id, "base.unknown_key");
  EXPECT_EQ(error.where, (Place{"s.yaml", 2, 1}));
  EXPECT_THAT(error.hint->arguments[0], testing::StartsWith("network"));
}

TEST(Fields, MissingAndNullMembersAreErrorsWhenRequired) {
  const Value map = sample();
  Fields fields(map);
  EXPECT_EQ(fields.text("absent").error().where, (Place{"s.yaml", 1, 1}));
  EXPECT_EQ(fields.text("empty").error().what.id, "base.missing_key");
  EXPECT_EQ(fields.text("empty").error().where.line, 3);
}

TEST(Fields, AValueThatIsNoMapFailsEveryReading) {
  const Value list = Value::list({"f", 1, 1}, {});
  Fields fields(list);
  EXPECT_EQ(fields.text("a").error().what.id, "base.expected_map");
  EXPECT_EQ(fields.text_or("a", "").error().what.id, "base.expected_map");
  EXPECT_EQ(fields.boolean_or("a", true).error().what.id, "base.expected_map");
  EXPECT_EQ(fields.number_or("a", 1, {0, 2}).error().what.id, "base.expected_map");
  EXPECT_EQ(fields.texts("a").error().what.id, "base.expected_map");
  EXPECT_EQ(fields.finish().error().what.id, "base.expected_map");
}

TEST(Nearest, FoldsCaseAndSeparatorsAndPrefersNamesThatContainIt) {
  const std::vector<std::string> known = {"dgx-a100", "dgx-h100", "dgx-h200", "h100-sxm5-80gb", "l40s"};
  EXPECT_EQ(nearest_names("DGX_H100", known, 1), std::vector<std::string>{"dgx-h100"});
  EXPECT_EQ(nearest_names("dgx-h10", known)[0], "dgx-h100");
  EXPECT_THAT(nearest_names("h100", known, 2), testing::UnorderedElementsAre("dgx-h100", "h100-sxm5-80gb"));
  EXPECT_EQ(nearest_names(std::string(1 << 20, 'x'), known).size(), 3u);
  EXPECT_EQ(nearest_hint("x", {}), std::nullopt);
}

}  // namespace
}  // namespace headrace::base
