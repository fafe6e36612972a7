// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headrace::report {

/// What a text is drawn for.
struct Terminal {
  int columns = 100;
  bool color = false;
};

enum class Paint { kPlain, kBold, kDim, kGood, kWarn, kBad, kAccent };

/// The text in a colour, or as it is where there is none.
std::string paint(std::string_view text, Paint paint, const Terminal& terminal);

/// Columns a text takes: wide characters (Chinese, Japanese, Korean, full-width forms) take two, colour sequences and
/// combining marks none.
int display_width(std::string_view text);

/// The text with spaces up to `width` columns.
std::string pad_right(std::string_view text, int width);
std::string pad_left(std::string_view text, int width);

/// Lines of at most `columns`, broken at spaces (between wide characters too); lines after the first start with
/// `indent` spaces.
std::string wrap(std::string_view text, int columns, int indent = 0);

/// Rows of cells under a head, columns as wide as their widest cell and two spaces between. A last column that does not
/// fit is cut with "…".
class TextTable {
 public:
  enum class Align { kLeft, kRight };

  void column(std::string head, Align align = Align::kLeft);
  void row(std::vector<std::string> cells);
  /// Every line starts with `indent` spaces and ends with a line feed; trailing spaces are cut.
  [[nodiscard]] std::string draw(const Terminal& terminal, int indent = 2) const;

 private:
  std::vector<std::string> heads_;
  std::vector<Align> aligns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace headrace::report
