// SPDX-License-Identifier: Apache-2.0
#include "base/document_text.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace headrace::base {
namespace {

constexpr std::size_t kShownLength = 60;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_at(std::string_view text, std::size_t from) {
  std::size_t end = from;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - from;
}

// [0-9]+ (. [0-9]*)? | . [0-9]+, then an exponent perhaps; no leading zero before another digit.
bool is_decimal(std::string_view text) {
  const std::size_t whole = digits_at(text, 0);
  if (whole > 1 && text[0] == '0') return false;
  std::size_t at = whole;
  std::size_t fraction = 0;
  if (at < text.size() && text[at] == '.') {
    fraction = digits_at(text, at + 1);
    at += 1 + fraction;
  }
  if (whole + fraction == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    const std::size_t exponent = digits_at(text, at);
    if (exponent == 0) return false;
    at += exponent;
  }
  return at == text.size();
}

// The value of a text that is_decimal; beyond the range of double, an infinity or zero.
double decimal_value(std::string_view text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc::result_out_of_range) return value;
  const bool small =
      text.find("e-") != text.npos || text.find("E-") != text.npos || text.starts_with("0.") || text.starts_with('.');
  return small ? 0.0 : std::numeric_limits<double>::infinity();
}

bool allowed_control(unsigned char c) { return c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

std::string_view without_bom(std::string_view text) { return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text; }

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xED && byte(1) >= 0xA0;
  const bool beyond = lead == 0xF4 && byte(1) >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

Place place_at(std::string_view text, std::size_t offset, const std::string& file) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
  return {file, static_cast<int>(line) + 1, static_cast<int>(before.size() - line_start) + 1};
}

Result<void> check_text(std::string_view text, const std::string& file, std::size_t limit) {
  if (text.size() > limit) {
    return input_error({file, 1, 1}, "base.too_large", {std::to_string(text.size()), std::to_string(limit)});
  }
  std::size_t at = 0;
  while (at < text.size()) {
    const auto c = static_cast<unsigned char>(text[at]);
    const std::size_t length = utf8_length(text.substr(at));
    if (length == 0) return input_error(place_at(text, at, file), "base.not_utf8");
    if ((c < 0x20 && !allowed_control(c)) || c == 0x7F) {
      return input_error(place_at(text, at, file), "base.control_character", {std::to_string(c)});
    }
    at += length;
  }
  return {};
}

Result<void> check_unique_keys(const std::vector<Value::Member>& members) {
  std::vector<const Value::Member*> sorted;
  sorted.reserve(members.size());
  for (const Value::Member& member : members) sorted.push_back(&member);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto* a, const auto* b) { return a->key != b->key ? a->key < b->key : a < b; });
  const auto twin =
      std::adjacent_find(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->key == b->key; });
  if (twin == sorted.end()) return {};
  const Value::Member& first = **twin;
  const Value::Member& second = **(twin + 1);
  return input_error(second.place, "base.duplicate_key", {shown(second.key), std::to_string(first.place.line)});
}

std::optional<double> read_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const double sign = negative ? -1.0 : 1.0;
  if (is_decimal(text)) return sign * decimal_value(text);
  if (text == "Infinity" || text == ".inf" || text == ".Inf" || text == ".INF") {
    return sign * std::numeric_limits<double>::infinity();
  }
  if (text == "NaN" || text == ".nan" || text == ".NaN" || text == ".NAN") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return std::nullopt;
}

bool steers_terminal(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const bool c0 = byte(0) < 0x20 && !allowed_control(static_cast<unsigned char>(byte(0)));
  const bool c1 = byte(0) == 0xC2 && byte(1) < 0xA0;
  const bool turns = byte(0) == 0xE2 && ((byte(1) == 0x80 && byte(2) >= 0xAA && byte(2) <= 0xAE) ||
                                         (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9));
  return c0 || byte(0) == 0x7F || c1 || turns;
}

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text.substr(at));
    const bool shows = length > 0 && !steers_terminal(text.substr(at)) && text[at] != '\r' && text[at] != '\t';
    out += shows ? text.substr(at, length) : text[at] == '\t' ? " " : kReplacement;
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::string shown(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && at < kShownLength) at += std::max<std::size_t>(utf8_length(text.substr(at)), 1);
  std::string out = printable(text.substr(0, at));
  std::replace(out.begin(), out.end(), '\n', ' ');
  return "'" + out + (at < text.size() ? "…'" : "'");
}

}  // namespace headrace::base
