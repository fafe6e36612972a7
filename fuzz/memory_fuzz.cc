// SPDX-License-Identifier: Apache-2.0
#include "fuzz.h"
#include "judge/validate.h"

using namespace headrace;

/// validate_memory on a table of rows: every row is used or counted as skipped.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto shipped = catalog::load_catalog().value();
  const std::string_view text = fuzz::text_of(data, size);
  const auto table = base::read_csv(text, "f.csv");
  if (!table) return 0;
  const auto score = judge::validate_memory(*table, shipped, 1);
  fuzz::require_good(score, text);
  if (!score) return 0;
  int skipped = 0;
  for (const auto& [reason, count] : score->skipped) skipped += count;
  fuzz::require(score->rows == score->used + skipped, "rows are used or skipped");
  return 0;
}
