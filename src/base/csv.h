// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"

namespace headrace::base {

/// An RFC 4180 table: a header and rows of the same width, each cell as text with its place. Empty lines are no rows.
class CsvTable {
 public:
  struct Row {
    int line = 0;
    std::vector<std::string> cells;
    std::vector<std::pair<int, int>> starts;  ///< line and column of each cell
  };

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  /// Column index by name, or -1.
  [[nodiscard]] int column(std::string_view name) const;
  /// The cell, or "" when there is no such column.
  [[nodiscard]] const std::string& cell(const Row& row, std::string_view name) const;
  /// Where the cell begins; the row's first line when there is no such column.
  [[nodiscard]] Place place(const Row& row, std::string_view name) const;

 private:
  friend Result<CsvTable> read_csv(std::string_view text, const std::string& file);
  std::string file_;
  std::vector<std::string> header_;
  std::unordered_map<std::string, int> columns_;
  std::vector<Row> rows_;
};

/// Reads a table; wrong widths, duplicate columns, stray quotes and binary bytes are errors with a place.
Result<CsvTable> read_csv(std::string_view text, const std::string& file);

/// The number in a cell; an empty cell is nullopt, anything else that is no finite number an error.
Result<std::optional<double>> csv_number(const CsvTable& table, const CsvTable::Row& row, std::string_view name);

/// One row as RFC 4180 text, with line feed.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace headrace::base
