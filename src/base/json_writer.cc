// SPDX-License-Identifier: Apache-2.0
#include "base/json_writer.h"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cmath>

#include "base/document_text.h"

namespace headrace::base {
namespace {

// Between these the plain form reads better than an exponent.
constexpr double kSmallestPlain = 1e-4;
constexpr double kLargestPlain = 1e15;

void append_escaped(std::string& out, std::string_view value) {
  for (std::size_t at = 0; at < value.size();) {
    const std::size_t length = utf8_length(value.substr(at));
    const char c = value[at];
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += value.substr(at, length);
    }
    at += length == 0 ? 1 : length;
  }
}

}  // namespace

JsonWriter& JsonWriter::begin_object() { return open('{', false); }
JsonWriter& JsonWriter::begin_line() { return open('{', true); }
JsonWriter& JsonWriter::end_object() { return close('}'); }
JsonWriter& JsonWriter::begin_array() { return open('[', false); }
JsonWriter& JsonWriter::end_array() { return close(']'); }

JsonWriter& JsonWriter::open(char bracket, bool line) {
  separate();
  out_ += bracket;
  levels_.push_back({.line = line || (!levels_.empty() && levels_.back().line)});
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty && !level.line) newline();
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  out_ += '"';
  append_escaped(out_, name);
  out_ += "\": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  separate();
  out_ += '"';
  append_escaped(out_, value);
  out_ += '"';
  return *this;
}

JsonWriter& JsonWriter::number(double value) {
  if (!std::isfinite(value)) return null();
  separate();
  std::array<char, 64> digits;
  const double size = std::abs(value);
  const bool plain = value == 0 || (size >= kSmallestPlain && size < kLargestPlain);
  const auto end = plain ? std::to_chars(digits.begin(), digits.end(), value, std::chars_format::fixed)
                         : std::to_chars(digits.begin(), digits.end(), value);
  out_.append(digits.data(), end.ptr);
  return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t value) {
  separate();
  out_ += std::to_string(value);
  return *this;
}

JsonWriter& JsonWriter::boolean(bool value) {
  separate();
  out_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  out_ += "null";
  return *this;
}

std::string JsonWriter::take() {
  out_ += '\n';
  return std::move(out_);
}

// Before a value or key: the comma and the line that its place asks for.
void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) out_ += level.line ? ", " : ",";
  level.empty = false;
  if (!level.line) newline();
}

void JsonWriter::newline() {
  out_ += '\n';
  out_.append(2 * levels_.size(), ' ');
}

}  // namespace headrace::base
