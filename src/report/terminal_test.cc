// SPDX-License-Identifier: Apache-2.0
#include "report/terminal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace headrace::report {
namespace {

TEST(DisplayWidth, CountsWideCharactersTwiceAndColoursNot) {
  EXPECT_EQ(display_width("step"), 4);
  EXPECT_EQ(display_width("每步"), 4);
  EXPECT_EQ(display_width("TP 8 · 微批 1"), 13);
  EXPECT_EQ(display_width("−5.8 %"), 6);
  EXPECT_EQ(display_width("\x1b[32m微\x1b[0m"), 2);
  EXPECT_EQ(display_width("█▎"), 2);
}

TEST(Pad, AlignsMixedScripts) {
  EXPECT_EQ(pad_right("微批", 6), "微批  ");
  EXPECT_EQ(pad_left("微批", 6), "  微批");
  EXPECT_EQ(pad_right("too long", 3), "too long");
}

// Two columns, one Chinese cell: the second column begins at the same place in both lines.
TEST(TextTable, KeepsColumnsUnderEachOther) {
  TextTable table;
  table.column("a");
  table.column("b", TextTable::Align::kRight);
  table.row({"微批", "1"});
  table.row({"mb", "22"});
  EXPECT_EQ(table.draw({}), "  a      b\n  微批   1\n  mb    22\n");
}

TEST(TextTable, CutsALastColumnThatDoesNotFit) {
  TextTable table;
  table.column("id");
  table.column("name");
  table.row({"x", "a long name that does not fit"});
  EXPECT_EQ(table.draw({.columns = 16}), "  id  name\n  x   a long na…\n");
}

TEST(Wrap, BreaksAtSpacesAndBetweenWideCharacters) {
  EXPECT_EQ(wrap("one two three", 8), "one two\nthree");
  EXPECT_EQ(wrap("one two three", 8, 2), "one\n  two\n  three");
  EXPECT_EQ(wrap("矩阵内核，访存", 6), "矩阵内\n核，访\n存");
}

TEST(Paint, EndsEachLine) {
  EXPECT_EQ(paint("a\nb\n", Paint::kGood, {.columns = 80, .color = true}), "\x1b[32ma\x1b[0m\n\x1b[32mb\x1b[0m\n");
  EXPECT_EQ(paint("a", Paint::kGood, {.columns = 80, .color = false}), "a");
}

// No line of wrapped words of up to nine letters is wider than asked.
RC_GTEST_PROP(Wrap, NeverExceedsItsColumns, (const std::vector<std::uint8_t>& lengths)) {
  std::string text;
  for (const std::uint8_t length : lengths) text += std::string(1 + length % 9, 'x') + " ";
  const std::string wrapped = wrap(text, 20, 4);
  for (std::size_t at = 0; at < wrapped.size();) {
    const std::size_t end = std::min(wrapped.find('\n', at), wrapped.size());
    RC_ASSERT(display_width(wrapped.substr(at, end - at)) <= 20);
    at = end + 1;
  }
}

}  // namespace
}  // namespace headrace::report
