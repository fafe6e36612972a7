// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "base/dtype.h"
#include "base/quantity_text.h"
#include "fuzz.h"

using namespace headrace;

/// parse_quantity: the first byte chooses the measure; what is read prints and reads back. parse_dtype likewise.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr int kMeasures = static_cast<int>(base::Measure::kCarbonIntensity) + 1;
  const auto measure = static_cast<base::Measure>(data[0] % kMeasures);
  const std::string_view text = fuzz::text_of(data + 1, size - 1);
  if (const auto dtype = base::parse_dtype(text)) {
    fuzz::require(base::parse_dtype(base::dtype_name(*dtype)) == dtype, "a dtype's name reads back");
  }
  const auto quantity = base::parse_quantity(text, measure, {"f", 1, 1});
  fuzz::require_good(quantity, text);
  if (!quantity) return 0;
  fuzz::require(std::isfinite(*quantity) && *quantity >= 0, "a quantity is finite and no less than 0");
  const auto again = base::parse_quantity(base::print_quantity(*quantity, measure, 6), measure, {"f", 1, 1});
  // At the ends of double's range a rounded number may leave it.
  if (*quantity > 1e300 || *quantity < 1e-300) return 0;
  fuzz::require(again && std::abs(*again - *quantity) <= 1e-5 * *quantity, "a printed quantity reads back");
  return 0;
}
