// SPDX-License-Identifier: Apache-2.0
#include "base/csv.h"

#include <cmath>

#include "base/document_text.h"

namespace headrace::base {
namespace {

constexpr std::size_t kLargest = std::size_t{256} << 20;
constexpr std::size_t kMostCells = 10'000'000;  // about 50 bytes of memory each

/// Splits RFC 4180 text into rows; lines end in LF or CR LF.
class CsvScanner {
 public:
  CsvScanner(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  /// The next row that is no empty line; a row without cells at the end.
  Result<CsvTable::Row> next() {
    while (at_ < text_.size() && line_end()) end_line();
    CsvTable::Row row;
    row.line = line_;
    if (at_ >= text_.size()) return row;
    while (true) {
      if (++cells_ > kMostCells) return input_error(place(), "base.too_many", {std::to_string(kMostCells)});
      row.starts.emplace_back(line_, static_cast<int>(at_ - line_start_) + 1);
      TRY(std::string text, cell());
      row.cells.push_back(std::move(text));
      if (at_ >= text_.size()) return row;
      if (line_end()) return end_line(), row;
      ++at_;
    }
  }

 private:
  [[nodiscard]] Place place() const { return {file_, line_, static_cast<int>(at_ - line_start_) + 1}; }

  [[nodiscard]] bool line_end() const { return text_[at_] == '\n' || text_.substr(at_, 2) == "\r\n"; }

  void end_line() {
    at_ += text_[at_] == '\n' ? 1 : 2;
    ++line_;
    line_start_ = at_;
  }

  Result<std::string> cell() { return at_ < text_.size() && text_[at_] == '"' ? quoted() : plain(); }

  Result<std::string> plain() {
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != ',' && !line_end()) {
      if (text_[at_] == '"') return input_error(place(), "csv.stray_quote");
      if (text_[at_] == '\r') return input_error(place(), "csv.stray_return");
      ++at_;
    }
    return std::string(text_.substr(start, at_ - start));
  }

  Result<std::string> quoted() {
    const Place opening = place();
    std::string out;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      }
      if (c != '"') {
        out += c;
      } else if (text_.substr(at_, 2) == "\"\"") {
        out += text_[at_++];
      } else {
        ++at_;
        if (at_ < text_.size() && text_[at_] != ',' && !line_end()) return input_error(place(), "csv.stray_quote");
        return out;
      }
    }
    return input_error(opening, "csv.open_quote");
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t cells_ = 0;
  int line_ = 1;
  std::size_t line_start_ = 0;
};

Place start_of(const CsvTable::Row& row, std::size_t cell, const std::string& file) {
  return {file, row.starts[cell].first, row.starts[cell].second};
}

}  // namespace

int CsvTable::column(std::string_view name) const {
  const auto found = columns_.find(std::string(name));
  return found == columns_.end() ? -1 : found->second;
}

const std::string& CsvTable::cell(const Row& row, std::string_view name) const {
  static const std::string none;
  const int index = column(name);
  return index < 0 ? none : row.cells[static_cast<std::size_t>(index)];
}

Place CsvTable::place(const Row& row, std::string_view name) const {
  const int index = column(name);
  return index < 0 ? Place{file_, row.line, 1} : start_of(row, static_cast<std::size_t>(index), file_);
}

Result<CsvTable> read_csv(std::string_view text, const std::string& file) {
  CHECK_OK(check_text(text, file, kLargest));
  CsvScanner scanner(without_bom(text), file);
  CsvTable table;
  table.file_ = file;
  TRY(CsvTable::Row header, scanner.next());
  if (header.cells.empty()) return input_error({file, 1, 1}, "csv.empty");
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    if (table.columns_.emplace(header.cells[i], static_cast<int>(i)).second) continue;
    return input_error(start_of(header, i, file), "csv.duplicate_column", {shown(header.cells[i])});
  }
  while (true) {
    TRY(CsvTable::Row row, scanner.next());
    if (row.cells.empty()) break;
    if (row.cells.size() != header.cells.size()) {
      return input_error({file, row.line, 1}, "csv.width",
                         {std::to_string(row.cells.size()), std::to_string(header.cells.size())});
    }
    table.rows_.push_back(std::move(row));
  }
  table.header_ = std::move(header.cells);
  return table;
}

Result<std::optional<double>> csv_number(const CsvTable& table, const CsvTable::Row& row, std::string_view name) {
  const std::string& cell = table.cell(row, name);
  if (cell.empty()) return std::nullopt;
  const std::optional<double> number = read_number(cell);
  if (number && std::isfinite(*number)) return number;
  return input_error(table.place(row, name), number ? "base.number_range" : "base.expected_number", {shown(cell)});
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string& cell = cells[i];
    if (i > 0) out += ',';
    const bool has_mark = without_bom(cell).size() != cell.size();  // at the top of a file it would vanish
    if (!cell.empty() && !has_mark && cell.find_first_of(",\"\r\n") == cell.npos) {
      out += cell;
      continue;
    }
    if (cell.empty() && cells.size() > 1) continue;
    out += '"';
    for (const char c : cell) out.append(c == '"' ? 2 : 1, c);
    out += '"';
  }
  return out + "\n";
}

}  // namespace headrace::base
