// SPDX-License-Identifier: Apache-2.0
#include "report/terminal.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace headrace::report {
namespace {

struct Glyph {
  std::size_t bytes = 1;
  int columns = 1;
};

constexpr std::uint32_t kReplacement = 0xFFFD;

/// One UTF-8 code point at `at`, its length in bytes; a broken sequence counts as one replacement character.
std::uint32_t decode(std::string_view text, std::size_t at, std::size_t& bytes) {
  const auto byte = [&](std::size_t i) { return std::uint32_t(static_cast<unsigned char>(text[i])); };
  const std::uint32_t first = byte(at);
  bytes = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0;
  if (bytes == 1) return first;
  if (bytes == 0 || at + bytes > text.size()) {
    bytes = 1;
    return kReplacement;
  }
  std::uint32_t point = first & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) point = (point << 6) | (byte(at + i) & 0x3Fu);
  return point;
}

struct PointRange {
  std::uint32_t first, last;
};

/// East Asian Wide and Fullwidth blocks that text of ours and of users can hold (Unicode Standard Annex 11).
constexpr std::array kWide{PointRange{0x1100, 0x115F},   PointRange{0x2E80, 0x303E},  PointRange{0x3041, 0x33FF},
                           PointRange{0x3400, 0x4DBF},   PointRange{0x4E00, 0x9FFF},  PointRange{0xA000, 0xA4CF},
                           PointRange{0xAC00, 0xD7A3},   PointRange{0xF900, 0xFAFF},  PointRange{0xFE30, 0xFE4F},
                           PointRange{0xFF00, 0xFF60},   PointRange{0xFFE0, 0xFFE6},  PointRange{0x1F300, 0x1F64F},
                           PointRange{0x1F900, 0x1F9FF}, PointRange{0x20000, 0x3FFFD}};

int columns_of(std::uint32_t point) {
  if (point < 0x20 || point == 0x7F) return 0;
  if ((point >= 0x300 && point <= 0x36F) || (point >= 0x200B && point <= 0x200F) ||
      (point >= 0xFE00 && point <= 0xFE0F))
    return 0;
  return std::any_of(kWide.begin(), kWide.end(), [&](PointRange r) { return point >= r.first && point <= r.last; }) ? 2
                                                                                                                    : 1;
}

/// The glyph or the colour sequence at `at`.
Glyph glyph(std::string_view text, std::size_t at) {
  if (text[at] == '\x1b') {
    const std::size_t end = text.find('m', at);
    return {end == std::string_view::npos ? 1 : end - at + 1, 0};
  }
  std::size_t bytes = 1;
  const std::uint32_t point = decode(text, at, bytes);
  return {bytes, columns_of(point)};
}

/// The longest start of `text` that takes at most `columns`.
std::string_view head_of(std::string_view text, int columns) {
  std::size_t at = 0;
  for (int used = 0; at < text.size();) {
    const Glyph next = glyph(text, at);
    if (used + next.columns > columns) break;
    used += next.columns;
    at += next.bytes;
  }
  return text.substr(0, at);
}

std::string shortened(std::string_view text, int columns) {
  if (columns < 2 || display_width(text) <= columns) return std::string(text);
  const bool colored = text.find('\x1b') != std::string_view::npos;
  return std::string(head_of(text, columns - 1)) + "…" + (colored ? "\x1b[0m" : "");
}

}  // namespace

std::string paint(std::string_view text, Paint paint, const Terminal& terminal) {
  constexpr std::array codes{"", "1", "2", "32", "33", "31", "36"};
  if (!terminal.color || paint == Paint::kPlain) return std::string(text);
  // Line by line, so that a cut or paged text never leaves its colour behind.
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0)
      out += std::string("\x1b[") + codes[std::size_t(paint)] + "m" + std::string(text.substr(0, end)) + "\x1b[0m";
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return out;
}

int display_width(std::string_view text) {
  int width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Glyph next = glyph(text, at);
    width += next.columns;
    at += next.bytes;
  }
  return width;
}

std::string pad_right(std::string_view text, int width) {
  return std::string(text) + std::string(std::size_t(std::max(0, width - display_width(text))), ' ');
}

std::string pad_left(std::string_view text, int width) {
  return std::string(std::size_t(std::max(0, width - display_width(text))), ' ') + std::string(text);
}

std::string wrap(std::string_view text, int columns, int indent) {
  std::string out;
  std::string line;
  std::string word;
  int line_width = indent;
  bool pending_space = false;
  const auto place_word = [&] {
    if (word.empty()) return;
    const int width = display_width(word);
    const bool starts = line.find_first_not_of(' ') == std::string::npos;
    if (!starts && line_width + int(pending_space) + width > columns) {
      out += line + "\n";
      line = std::string(std::size_t(indent), ' ');
      line_width = indent;
    } else if (pending_space && !starts) {
      line += ' ';
      ++line_width;
    }
    line += word;
    line_width += width;
    pending_space = false;
    word.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const Glyph next = glyph(text, at);
    const std::string_view piece = text.substr(at, next.bytes);
    at += next.bytes;
    if (piece == " ") {
      place_word();
      pending_space = true;
    } else {
      // A line may break before a wide character, but not before a full stop or comma.
      const bool closing =
          piece == "。" || piece == "，" || piece == "、" || piece == "；" || piece == "：" || piece == "）";
      if (next.columns == 2 && !closing) place_word();
      word += piece;
    }
  }
  place_word();
  return out + line;
}

void TextTable::column(std::string head, Align align) {
  heads_.push_back(std::move(head));
  aligns_.push_back(align);
}

void TextTable::row(std::vector<std::string> cells) {
  cells.resize(heads_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::draw(const Terminal& terminal, int indent) const {
  std::vector<int> widths;
  for (std::size_t c = 0; c < heads_.size(); ++c) {
    int width = display_width(heads_[c]);
    for (const auto& row : rows_) width = std::max(width, display_width(row[c]));
    widths.push_back(width);
  }
  const auto line = [&](const std::vector<std::string>& cells, Paint ink) {
    std::string text(std::size_t(indent), ' ');
    for (std::size_t c = 0; c < cells.size(); ++c) {
      std::string cell = cells[c];
      if (c + 1 == cells.size()) cell = shortened(cell, terminal.columns - display_width(text));
      cell = aligns_[c] == Align::kRight ? pad_left(cell, widths[c]) : pad_right(cell, widths[c]);
      text += cell + (c + 1 == cells.size() ? "" : "  ");
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return paint(text, ink, terminal) + "\n";
  };
  std::string out;
  const bool headed = std::any_of(heads_.begin(), heads_.end(), [](const std::string& head) { return !head.empty(); });
  if (headed) out += line(heads_, Paint::kDim);
  for (const auto& row : rows_) out += line(row, Paint::kPlain);
  return out;
}

}  // namespace headrace::report
