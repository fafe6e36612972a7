// SPDX-License-Identifier: Apache-2.0
#include "catalog/calibration_text.h"

#include <gtest/gtest.h>

namespace headrace::catalog {
namespace {

constexpr const char* kFile =
    "# A comment.\n"
    "calibration:\n"
    "  a.b: {value: 1, low: 0.5, high: 2e6, unit: \"s\", basis: fitted, evidence: \"x\"}\n"
    "  a.c: {value: 3, low: 1, high: 4, unit: \"1\", basis: assumed, evidence: \"y\"}\n";

TEST(CalibrationText, WritesFittedLinesAnewAndLeavesTheRest) {
  Calibration calibration;
  calibration.set("a.b", {1.23456, 0.5, 2e6, "s", "fitted", "x", 12, 3});
  const auto text = rewrite_calibration(kFile, calibration);
  ASSERT_TRUE(text);
  EXPECT_EQ(*text,
            "# A comment.\n"
            "calibration:\n"
            "  a.b: {value: 1.235, low: 0.5, high: 2e+06, unit: \"s\", basis: fitted, rows: 12, sources: 3, evidence: "
            "\"x\"}\n"
            "  a.c: {value: 3, low: 1, high: 4, unit: \"1\", basis: assumed, evidence: \"y\"}\n");
  EXPECT_EQ(*rewrite_calibration(*text, calibration), *text) << "a second time changes nothing";
}

TEST(CalibrationText, NamesAConstantThatTheFitLacks) {
  EXPECT_EQ(rewrite_calibration(kFile, Calibration()).error().kind, base::ErrorKind::kInternal);
}

TEST(CalibrationText, RoundsToFourDigits) {
  EXPECT_EQ(rounded(0.123456), 0.1235);
  EXPECT_EQ(rounded(15000000), 15000000);
}

}  // namespace
}  // namespace headrace::catalog
