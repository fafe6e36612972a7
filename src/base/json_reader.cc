// SPDX-License-Identifier: Apache-2.0
#include "base/document_text.h"

namespace headrace::base {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_delimiter(char c) { return is_space(c) || c == ',' || c == ']' || c == '}' || c == ':' || c == '"'; }

void append_utf8(std::string& out, unsigned code) {
  const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

// RFC 8259 numbers, which are stricter than YAML's: no `+`, no bare point.
bool is_json_number(std::string_view text) {
  if (text == "NaN" || text == "Infinity" || text == "-Infinity") return true;
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || text[0] < '0' || text[0] > '9') return false;
  const std::size_t point = text.find('.');
  const bool bare = point != text.npos && (point + 1 == text.size() || text[point + 1] < '0' || text[point + 1] > '9');
  return !bare && read_number(text).has_value();
}

/// Recursive descent over RFC 8259. Own, because every value needs its line and column, duplicate keys are errors, and
/// Python's NaN and Infinity are read.
class JsonParser {
 public:
  JsonParser(std::string_view text, const std::string& file, const ReadLimits& limits)
      : text_(text), file_(file), limits_(limits) {}

  Result<Value> document() {
    TRY(Value root, value(0));
    skip_space();
    if (at_ < text_.size()) return unexpected("json.after_end");
    return root;
  }

 private:
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) {
      if (text_[at_++] == '\n') {
        ++line_;
        line_start_ = at_;
      }
    }
  }

  [[nodiscard]] Place place() const { return {file_, line_, static_cast<int>(at_ - line_start_) + 1}; }

  [[nodiscard]] tl::unexpected<Error> unexpected(const char* id) const {
    if (at_ >= text_.size()) return input_error(place(), "json.ends_early");
    const std::size_t length = utf8_length(text_.substr(at_));
    return input_error(place(), id, {shown(text_.substr(at_, length))});
  }

  // A container of one more level, or an error.
  Result<void> enter(int level) const {
    if (level < limits_.depth) return {};
    return input_error(place(), "base.too_deep", {std::to_string(limits_.depth)});
  }

  Result<Value> value(int level) {
    skip_space();
    if (++values_ > limits_.values) return input_error(place(), "base.too_many", {std::to_string(limits_.values)});
    if (peek() == '{') return object(level);
    if (peek() == '[') return array(level);
    if (peek() == '"') {
      Place start = place();
      TRY(std::string text, string());
      return Value::scalar(std::move(start), std::move(text), true);
    }
    return word();
  }

  Result<Value> word() {
    const std::size_t start = at_;
    std::size_t end = at_;
    while (end < text_.size() && !is_delimiter(text_[end])) ++end;
    const std::string_view word = text_.substr(start, end - start);
    if (word.empty()) return unexpected("json.expected_value");
    const bool known = word == "null" || word == "true" || word == "false" || is_json_number(word);
    if (!known) return input_error(place(), "json.unknown_word", {shown(word)});
    Place where = place();
    at_ = end;
    if (word == "null") return Value::null(std::move(where));
    return Value::scalar(std::move(where), std::string(word), false);
  }

  Result<Value> array(int level) {
    CHECK_OK(enter(level));
    Place start = place();
    std::vector<Value> items;
    ++at_;
    skip_space();
    if (peek() == ']') return ++at_, Value::list(std::move(start), {});
    while (true) {
      TRY(Value item, value(level + 1));
      items.push_back(std::move(item));
      skip_space();
      if (peek() == ']') return ++at_, Value::list(std::move(start), std::move(items));
      if (peek() != ',') return unexpected("json.expected_comma");
      ++at_;
    }
  }

  Result<Value> object(int level) {
    CHECK_OK(enter(level));
    Place start = place();
    std::vector<Value::Member> members;
    ++at_;
    skip_space();
    if (peek() == '}') return ++at_, Value::map(std::move(start), {});
    while (true) {
      TRY(Value::Member next, member(level));
      members.push_back(std::move(next));
      skip_space();
      if (peek() == '}') break;
      if (peek() != ',') return unexpected("json.expected_comma");
      ++at_;
    }
    ++at_;
    CHECK_OK(check_unique_keys(members));
    return Value::map(std::move(start), std::move(members));
  }

  Result<Value::Member> member(int level) {
    skip_space();
    if (peek() != '"') return unexpected("json.expected_key");
    Place where = place();
    TRY(std::string key, string());
    skip_space();
    if (peek() != ':') return unexpected("json.expected_colon");
    ++at_;
    TRY(Value inner, value(level + 1));
    return Value::Member{std::move(key), std::move(where), std::move(inner)};
  }

  Result<std::string> string() {
    std::string out;
    ++at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') return ++at_, out;
      if (static_cast<unsigned char>(c) < 0x20) return input_error(place(), "json.raw_control");
      if (c == '\\') {
        CHECK_OK(escape(out));
      } else {
        out += c;
        ++at_;
      }
    }
    return unexpected("json.ends_early");
  }

  Result<void> escape(std::string& out) {
    const std::string_view rest = text_.substr(at_);
    const char c = rest.size() > 1 ? rest[1] : '\0';
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (const std::size_t index = kNames.find(c); rest.size() > 1 && index != kNames.npos) {
      out += kMeanings[index];
      at_ += 2;
      return {};
    }
    if (c != 'u') return input_error(place(), "json.bad_escape", {shown(rest.substr(0, 2))});
    return unicode_escape(out);
  }

  Result<void> unicode_escape(std::string& out) {
    const std::optional<unsigned> first = code_unit(at_);
    if (!first || *first == 0) return bad_unicode();
    unsigned code = *first;
    std::size_t length = 6;
    if (code >= 0xD800 && code < 0xE000) {
      const std::optional<unsigned> second = code_unit(at_ + 6);
      if (code >= 0xDC00 || !second || *second < 0xDC00 || *second >= 0xE000) return bad_unicode();
      code = 0x10000 + ((code - 0xD800) << 10) + (*second - 0xDC00);
      length = 12;
    }
    append_utf8(out, code);
    at_ += length;
    return {};
  }

  [[nodiscard]] tl::unexpected<Error> bad_unicode() const {
    return input_error(place(), "json.bad_escape", {shown(text_.substr(at_, 6))});
  }

  // The 16 bits of a \uXXXX at this offset.
  [[nodiscard]] std::optional<unsigned> code_unit(std::size_t offset) const {
    if (offset + 6 > text_.size() || text_[offset] != '\\' || text_[offset + 1] != 'u') return std::nullopt;
    unsigned code = 0;
    for (const char c : text_.substr(offset + 2, 4)) {
      const bool digit = c >= '0' && c <= '9';
      const char lower = static_cast<char>(c | 0x20);
      if (!digit && (lower < 'a' || lower > 'f')) return std::nullopt;
      code = code * 16 + static_cast<unsigned>(digit ? c - '0' : lower - 'a' + 10);
    }
    return code;
  }

  std::string_view text_;
  const std::string& file_;
  ReadLimits limits_;
  std::size_t values_ = 0;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t line_start_ = 0;
};

}  // namespace

Result<Value> read_json(std::string_view text, const std::string& file, const ReadLimits& limits) {
  CHECK_OK(check_text(text, file, limits.bytes));
  return JsonParser(without_bom(text), file, limits).document();
}

}  // namespace headrace::base
