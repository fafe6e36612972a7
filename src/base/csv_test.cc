// SPDX-License-Identifier: Apache-2.0
#include "base/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headrace::base {
namespace {

using testing::ElementsAre;

std::string outcome(const std::string& text) {
  const auto table = read_csv(text, "f.csv");
  if (table) return "read";
  const Error& error = table.error();
  return error.what.id + " " + std::to_string(error.where.line) + ":" + std::to_string(error.where.column);
}

TEST(Csv, ReadsQuotedCellsAndPlaces) {
  const auto table = read_csv("a,b\r\n1,\"x, \"\"y\"\"\nz\"\r\n\r\n2,\n", "f.csv");
  ASSERT_TRUE(table);
  EXPECT_THAT(table->header(), ElementsAre("a", "b"));
  ASSERT_EQ(table->rows().size(), 2u);
  const auto& first = table->rows()[0];
  EXPECT_EQ(table->cell(first, "b"), "x, \"y\"\nz");
  EXPECT_EQ(table->place(first, "b"), (Place{"f.csv", 2, 3}));
  const auto& second = table->rows()[1];
  EXPECT_EQ(second.line, 5);
  EXPECT_EQ(table->cell(second, "b"), "");
  EXPECT_EQ(table->cell(second, "absent"), "");
  EXPECT_EQ(table->column("absent"), -1);
}

TEST(Csv, MalformedTextIsAnErrorWithItsPlace) {
  EXPECT_EQ(outcome(""), "csv.empty 1:1");
  EXPECT_EQ(outcome("\n\n"), "csv.empty 1:1");
  EXPECT_EQ(outcome("a,b,a\n"), "csv.duplicate_column 1:5");
  EXPECT_EQ(outcome("a,b\n1\n"), "csv.width 2:1");
  EXPECT_EQ(outcome("a,b\n1,2,3\n"), "csv.width 2:1");
  EXPECT_EQ(outcome("a,b\n1,x\"y\n"), "csv.stray_quote 2:4");
  EXPECT_EQ(outcome("a,b\n1,\"x\"y\n"), "csv.stray_quote 2:6");
  EXPECT_EQ(outcome("a,b\n1,\"x\n2,3\n"), "csv.open_quote 2:3");
  EXPECT_EQ(outcome("a,b\n1,x\ry\n"), "csv.stray_return 2:4");
  EXPECT_EQ(outcome("a\n\xFF\n"), "base.not_utf8 2:1");
  EXPECT_EQ(outcome(std::string("a\n\0\n", 4)), "base.control_character 2:1");
  EXPECT_EQ(outcome("a,b\n1,2"), "read");
}

TEST(Csv, NumbersAreFiniteOrAbsent) {
  const auto table = read_csv("a,b,c,d\n1.5,,x,1e999\n", "f.csv").value();
  const auto& row = table.rows()[0];
  EXPECT_EQ(csv_number(table, row, "a").value(), 1.5);
  EXPECT_EQ(csv_number(table, row, "b").value(), std::nullopt);
  EXPECT_EQ(csv_number(table, row, "absent").value(), std::nullopt);
  EXPECT_EQ(csv_number(table, row, "c").error().where, (Place{"f.csv", 2, 6}));
  EXPECT_EQ(csv_number(table, row, "d").error().what.id, "base.number_range");
}

}  // namespace
}  // namespace headrace::base
