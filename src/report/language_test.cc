// SPDX-License-Identifier: Apache-2.0
#include "report/language.h"

#include <gtest/gtest.h>

#include "report/figures.h"

namespace headrace::report {
namespace {

Language small(Tongue tongue) {
  return *Language::read("a.b: {en: \"{0} of {1}\", zh: \"{1} 之 {0}\"}\nkind.list: {en: a list, zh: 列表}\n", "m.yaml",
                         tongue);
}

TEST(Language, FillsArgumentsInTheOrderOfTheTongue) {
  EXPECT_EQ(small(Tongue::kEnglish).say("a.b", {"1", "2"}), "1 of 2");
  EXPECT_EQ(small(Tongue::kChinese).say("a.b", {"1", "2"}), "2 之 1");
}

TEST(Language, SaysArgumentsThatAreIds) {
  EXPECT_EQ(small(Tongue::kChinese).say("a.b", {"kind.list", "x"}), "x 之 列表");
}

TEST(Language, ShowsAnUnknownId) { EXPECT_EQ(small(Tongue::kEnglish).say("no.such", {"x"}), "no.such [x]"); }

TEST(Language, RefusesASentenceInOneTongueOnly) {
  EXPECT_FALSE(Language::read("a.b: {en: only}\n", "m.yaml", Tongue::kEnglish));
}

TEST(Language, LoadsTheBuiltInSentences) {
  for (const Tongue tongue : {Tongue::kEnglish, Tongue::kChinese}) {
    const auto language = Language::load(tongue);
    ASSERT_TRUE(language);
    EXPECT_GT(language->sentences().size(), 100u);
  }
}

TEST(SayError, PutsThePlaceFirstAndTheHintLast) {
  const base::Error error{
      base::ErrorKind::kInput, {"a.b", {"1", "2"}}, {"f.yaml", 3, 7}, base::Message{"kind.list", {}}};
  EXPECT_EQ(say_error(error, small(Tongue::kEnglish)), "f.yaml:3:7: 1 of 2 a list");
}

TEST(SayError, LetsNothingThroughThatSteersATerminal) {
  const base::Error error{
      base::ErrorKind::kInput, {"a.b", {"\x1b[31mred\a", "\xff\u009b2J\r"}}, {"\x1b]0;f.yaml", 1, 1}, {}};
  EXPECT_EQ(say_error(error, small(Tongue::kEnglish)), "�]0;f.yaml:1:1: �[31mred� of ��2J�");
}

TEST(Figures, KeepThreeDigits) {
  EXPECT_EQ(say_value(7.0, base::Measure::kTime), "7.00 s");
  EXPECT_EQ(say_value(3.1e6, base::Measure::kMoney), "$3.10 M");
  EXPECT_EQ(say_estimate({11.9, 11.1, 12.8, "s", base::Basis::kFitted, ""}, base::Measure::kTime),
            "11.9 s (11.1–12.8)");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(-1234), "-1,234");
  EXPECT_EQ(grouped(123), "123");
  EXPECT_EQ(short_count(1.24e6), "1.24 M");
  EXPECT_EQ(signed_percent(-0.058), "−5.8 %");
  EXPECT_EQ(signed_percent(0.0001), "±0 %");
}

}  // namespace
}  // namespace headrace::report
