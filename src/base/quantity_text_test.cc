// SPDX-License-Identifier: Apache-2.0
#include "base/quantity_text.h"

#include <gtest/gtest.h>

namespace headrace::base {
namespace {

double parsed(const std::string& text, Measure measure) {
  const auto quantity = parse_quantity(text, measure, {});
  EXPECT_TRUE(quantity) << text << ": " << (quantity ? "" : quantity.error().what.id);
  return quantity.value_or(-1);
}

std::string outcome(const std::string& text, Measure measure) {
  const auto quantity = parse_quantity(text, measure, {"f", 1, 1});
  return quantity ? "read" : quantity.error().what.id;
}

TEST(QuantityText, ReadsWhatTheDocumentsWrite) {
  EXPECT_DOUBLE_EQ(parsed("900 GB/s", Measure::kBandwidth), 900e9);
  EXPECT_DOUBLE_EQ(parsed("400 Gb/s", Measure::kBandwidth), 50e9);
  EXPECT_DOUBLE_EQ(parsed("80 GiB", Measure::kBytes), 80 * 1073741824.0);
  EXPECT_DOUBLE_EQ(parsed("80GB", Measure::kBytes), 80e9);
  EXPECT_DOUBLE_EQ(parsed("15T tokens", Measure::kTokens), 15e12);
  EXPECT_DOUBLE_EQ(parsed("15T", Measure::kTokens), 15e12);
  EXPECT_DOUBLE_EQ(parsed("300 B tokens", Measure::kTokens), 300e9);
  EXPECT_DOUBLE_EQ(parsed("1e12", Measure::kTokens), 1e12);
  EXPECT_DOUBLE_EQ(parsed("1024 sequences", Measure::kSequences), 1024);
  EXPECT_DOUBLE_EQ(parsed("1 sequence", Measure::kSequences), 1);
  EXPECT_DOUBLE_EQ(parsed("2.5 MW", Measure::kPower), 2.5e6);
  EXPECT_DOUBLE_EQ(parsed("60 days", Measure::kTime), 60 * 86400.0);
  EXPECT_DOUBLE_EQ(parsed("5 %", Measure::kFraction), 0.05);
  EXPECT_DOUBLE_EQ(parsed("0.05", Measure::kFraction), 0.05);
  EXPECT_DOUBLE_EQ(parsed("989 TFLOP/s", Measure::kCompute), 989e12);
  EXPECT_DOUBLE_EQ(parsed("1.98 GHz", Measure::kFrequency), 1.98e9);
  EXPECT_DOUBLE_EQ(parsed("1.02 GWh", Measure::kEnergy), 1.02e9 * 3600);
  EXPECT_DOUBLE_EQ(parsed("$3.1 M", Measure::kMoney), 3.1e6);
  EXPECT_DOUBLE_EQ(parsed("3.1 M$", Measure::kMoney), 3.1e6);
  EXPECT_DOUBLE_EQ(parsed("30 MUSD", Measure::kMoney), 30e6);
  EXPECT_DOUBLE_EQ(parsed("$500", Measure::kMoney), 500);
  EXPECT_DOUBLE_EQ(parsed("0.08 USD/kWh", Measure::kEnergyPrice), 0.08 / 3.6e6);
  EXPECT_DOUBLE_EQ(parsed("$0.08/kWh", Measure::kEnergyPrice), 0.08 / 3.6e6);
  EXPECT_DOUBLE_EQ(parsed("2.5 USD/h", Measure::kRentPrice), 2.5 / 3600);
  EXPECT_DOUBLE_EQ(parsed("380 g/kWh", Measure::kCarbonIntensity), 380 / 3.6e6);
}

TEST(QuantityText, RefusesWhatIsNoQuantity) {
  EXPECT_EQ(outcome("80", Measure::kBytes), "quantity.no_unit");
  EXPECT_EQ(outcome("80 gb", Measure::kBytes), "quantity.unknown_unit");
  EXPECT_EQ(outcome("80 GB/s", Measure::kBytes), "quantity.unknown_unit");
  EXPECT_EQ(outcome("80 GB", Measure::kBandwidth), "quantity.unknown_unit");
  EXPECT_EQ(outcome("5s", Measure::kTokens), "quantity.unknown_unit");
  EXPECT_EQ(outcome("-5 s", Measure::kTime), "quantity.negative");
  EXPECT_EQ(outcome("1e308 TB", Measure::kBytes), "quantity.beyond_real");
  EXPECT_EQ(outcome("1e999 s", Measure::kTime), "quantity.beyond_real");
  EXPECT_EQ(outcome("010 s", Measure::kTime), "quantity.no_number");
  EXPECT_EQ(outcome("1,000 s", Measure::kTime), "quantity.unknown_unit");
  for (const char* text : {"", " ", "s", "GB", "$", "five s", "- s", ".", "e3 s", "NaN s", "inf", "--1 s", "1.2.3 s"}) {
    EXPECT_EQ(outcome(text, Measure::kTime), "quantity.no_number") << text;
  }
  const auto unit = parse_quantity("80 gib", Measure::kBytes, {"f", 2, 3});
  EXPECT_EQ(unit.error().where, (Place{"f", 2, 3}));
  EXPECT_TRUE(unit.error().hint->arguments[0].starts_with("GiB"));
}

TEST(QuantityText, PrintsThreeDigitsInTheUnitThatSuits) {
  EXPECT_EQ(print_quantity(11.94, Measure::kTime), "11.9 s");
  EXPECT_EQ(print_quantity(0.9996, Measure::kTime), "1 s");
  EXPECT_EQ(print_quantity(56 * 86400.0, Measure::kTime), "56 days");
  EXPECT_EQ(print_quantity(61.2 * 1073741824.0, Measure::kBytes), "61.2 GiB");
  EXPECT_EQ(print_quantity(80 * 1073741824.0, Measure::kBytes), "80 GiB");
  EXPECT_EQ(print_quantity(3.1e6, Measure::kMoney), "$3.1 M");
  EXPECT_EQ(print_quantity(500, Measure::kMoney), "$500");
  EXPECT_EQ(print_quantity(1.02e9 * 3600, Measure::kEnergy), "1.02 GWh");
  EXPECT_EQ(print_quantity(753 * 3600.0, Measure::kEnergy), "753 Wh");
  EXPECT_EQ(print_quantity(15e12, Measure::kTokens), "15T tokens");
  EXPECT_EQ(print_quantity(1024, Measure::kSequences), "1024 sequences");
  EXPECT_EQ(print_quantity(0.431, Measure::kFraction), "43.1 %");
  EXPECT_EQ(print_quantity(0, Measure::kTime), "0 s");
  EXPECT_EQ(print_quantity(1234567e15, Measure::kBandwidth), "1230000 PB/s");
  EXPECT_EQ(print_quantity(1e308, Measure::kFraction), "inf %");
}

}  // namespace
}  // namespace headrace::base
