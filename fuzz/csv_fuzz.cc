// SPDX-License-Identifier: Apache-2.0
#include "base/csv.h"
#include "fuzz.h"

using namespace headrace;

/// read_csv: places, numbers, and the same table again when written.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const auto table = base::read_csv(text, "f.csv");
  fuzz::require_good(table, text);
  if (!table) return 0;
  std::string written = base::csv_line(table->header());
  for (const auto& row : table->rows()) {
    written += base::csv_line(row.cells);
    for (const std::string& column : table->header()) {
      const auto number = base::csv_number(*table, row, column);
      fuzz::require_good(number, text);
      fuzz::require(number || number.error().where == table->place(row, column), "an error stands at its cell");
    }
  }
  const auto again = base::read_csv(written, "again.csv");
  fuzz::require(again && again->header() == table->header(), "a written header reads back");
  fuzz::require(again->rows().size() == table->rows().size(), "written rows read back");
  for (std::size_t i = 0; i < again->rows().size(); ++i) {
    fuzz::require(again->rows()[i].cells == table->rows()[i].cells, "written cells read back");
  }
  return 0;
}
