// SPDX-License-Identifier: Apache-2.0
// Properties of the readers and writers together: what is written reads back, and no bytes do worse than an error with
// a place.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "base/csv.h"
#include "base/document_text.h"
#include "base/json_writer.h"
#include "base/quantity_text.h"
#include "base/units.h"
#include "base/value.h"

namespace headrace::base {
namespace {

// Texts of printable characters with those that readers stumble over.
rc::Gen<std::string> texts() {
  return rc::gen::container<std::string>(
      rc::gen::oneOf(rc::gen::inRange<char>(32, 127), rc::gen::elementOf(std::string(",\"\n\\:#'[]{}&*!|>%@`-?"))));
}

// Bytes that look like documents now and then.
rc::Gen<std::string> junk() {
  return rc::gen::container<std::string>(
      rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::elementOf(std::string("{}[]\",:\n- 01.eE+#&*!|>\\u"))));
}

template <typename T>
void expect_place_when_wrong(const Result<T>& result) {
  if (result) return;
  RC_ASSERT(result.error().where.line >= 1);
  RC_ASSERT(result.error().where.column >= 1);
  RC_ASSERT(!result.error().what.id.empty());
}

RC_GTEST_PROP(RoundTrip, JsonTexts, ()) {
  const auto text = *texts();
  JsonWriter out;
  const auto read = read_json(out.begin_object().member("k", text).end_object().take(), "f");
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->find("k")->raw() == text);
}

RC_GTEST_PROP(RoundTrip, JsonNumbers, (double value)) {
  RC_PRE(std::isfinite(value));
  JsonWriter out;
  RC_ASSERT(read_json(out.number(value).take(), "f")->number().value() == value);
}

RC_GTEST_PROP(RoundTrip, CsvRows, ()) {
  const auto cells = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(texts()));
  std::vector<std::string> header;
  for (std::size_t i = 0; i < cells.size(); ++i) header.push_back("c" + std::to_string(i));
  const auto table = read_csv(csv_line(header) + csv_line(cells), "f");
  RC_ASSERT(table.has_value());
  RC_ASSERT(table->rows().size() == 1u);
  RC_ASSERT(table->rows()[0].cells == cells);
}

RC_GTEST_PROP(RoundTrip, PrintedQuantitiesReadBackWithinTheirDigits, ()) {
  const auto measure = static_cast<Measure>(*rc::gen::inRange(0, static_cast<int>(Measure::kCarbonIntensity) + 1));
  const double exponent = *rc::gen::inRange(-12, 18);
  const double mantissa = *rc::gen::inRange(1000, 9999) / 1000.0;
  const double value = mantissa * std::pow(10.0, exponent);
  const auto read = parse_quantity(print_quantity(value, measure, 4), measure, {});
  RC_ASSERT(read.has_value());
  RC_ASSERT(std::abs(*read - value) <= 1e-3 * value);
}

RC_GTEST_PROP(RoundTrip, AnyBytesAreReadOrAnErrorWithAPlace, ()) {
  const auto bytes = *junk();
  expect_place_when_wrong(read_yaml(bytes, "f"));
  expect_place_when_wrong(read_json(bytes, "f"));
  expect_place_when_wrong(read_csv(bytes, "f"));
}

RC_GTEST_PROP(RoundTrip, IntegersReadAsTheyAreWritten, (std::int64_t value)) {
  RC_ASSERT(read_yaml(std::to_string(value), "f")->integer().value() == value);
  RC_ASSERT(read_json(std::to_string(value), "f")->integer().value() == value);
}

RC_GTEST_PROP(RoundTrip, AKnownNameIsNearestToItself, ()) {
  const auto letters = rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'e')));
  const auto known = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(letters));
  const auto name = *rc::gen::elementOf(known);
  RC_ASSERT(nearest_names(name, known)[0] == name);
}

TEST(Units, ProductsAndQuotientsCarryTheirDimension) {
  const Seconds time = gigabytes(300) / BytesPerSecond(100e9);
  EXPECT_DOUBLE_EQ(time.value(), 3);
  const Joules energy = Watts(700) * Seconds(10);
  EXPECT_DOUBLE_EQ(energy.value(), 7000);
  EXPECT_DOUBLE_EQ(Seconds(6) / Seconds(3), 2);
  EXPECT_DOUBLE_EQ(Hertz(2) * Seconds(3), 6);
  EXPECT_DOUBLE_EQ(in_gibibytes(gibibytes(80)), 80);
}

}  // namespace
}  // namespace headrace::base
