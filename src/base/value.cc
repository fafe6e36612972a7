// SPDX-License-Identifier: Apache-2.0
#include "base/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/document_text.h"

namespace headrace::base {
namespace {

// Whole numbers up to here are exact in a double, so that 1e9 or 2.5e3 can be read through one.
constexpr double kExactWhole = 9007199254740992.0;

std::string found(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kNull: return "null";
    case Value::Kind::kList: return "[…]";
    case Value::Kind::kMap: return "{…}";
    case Value::Kind::kScalar: break;
  }
  if (!value.quoted()) return shown(value.raw());
  // In double quotes, so that a text "8" is told from the number 8.
  std::string text = shown(value.raw());
  text.front() = text.back() = '"';
  return text;
}

tl::unexpected<Error> wrong(const Value& value, const char* id) {
  return input_error(value.place(), id, {found(value)});
}

}  // namespace

Value Value::null(Place place) {
  Value value;
  value.place_ = std::move(place);
  return value;
}

Value Value::scalar(Place place, std::string text, bool quoted) {
  Value value;
  value.kind_ = Kind::kScalar;
  value.quoted_ = quoted;
  value.place_ = std::move(place);
  value.text_ = std::move(text);
  return value;
}

Value Value::list(Place place, std::vector<Value> items) {
  Value value;
  value.kind_ = Kind::kList;
  value.place_ = std::move(place);
  value.items_ = std::move(items);
  return value;
}

Value Value::map(Place place, std::vector<Member> members) {
  Value value;
  value.kind_ = Kind::kMap;
  value.place_ = std::move(place);
  value.members_ = std::move(members);
  return value;
}

std::string Value::kind_id() const {
  switch (kind_) {
    case Kind::kNull: return "kind.null";
    case Kind::kList: return "kind.list";
    case Kind::kMap: return "kind.map";
    case Kind::kScalar: break;
  }
  if (quoted_) return "kind.text";
  if (text_ == "true" || text_ == "false") return "kind.boolean";
  return read_number(text_) ? "kind.number" : "kind.text";
}

Result<std::string> Value::text() const {
  if (kind_ != Kind::kScalar) return wrong(*this, "base.expected_text");
  return text_;
}

Result<bool> Value::boolean() const {
  if (kind_ == Kind::kScalar && !quoted_ && text_ == "true") return true;
  if (kind_ == Kind::kScalar && !quoted_ && text_ == "false") return false;
  return wrong(*this, "base.expected_boolean");
}

Result<std::int64_t> Value::integer() const {
  if (kind_ != Kind::kScalar || quoted_) return wrong(*this, "base.expected_integer");
  const std::optional<double> number = read_number(text_);
  if (!number) return wrong(*this, "base.expected_integer");
  if (std::isnan(*number)) return wrong(*this, "base.number_range");
  const std::string_view digits = std::string_view(text_).substr(text_.starts_with('+') ? 1 : 0);
  std::int64_t whole = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), whole);
  if (read.ec == std::errc() && read.ptr == digits.data() + digits.size()) return whole;
  if (!std::isfinite(*number) || std::abs(*number) > kExactWhole) return wrong(*this, "base.integer_range");
  if (*number != std::floor(*number)) return wrong(*this, "base.expected_integer");
  return static_cast<std::int64_t>(*number);
}

Result<double> Value::number() const {
  if (kind_ != Kind::kScalar || quoted_) return wrong(*this, "base.expected_number");
  const std::optional<double> number = read_number(text_);
  if (!number) return wrong(*this, "base.expected_number");
  if (!std::isfinite(*number)) return wrong(*this, "base.number_range");
  return *number;
}

const Value* Value::find(std::string_view key) const {
  const auto member = std::find_if(members_.begin(), members_.end(), [&](const Member& m) { return m.key == key; });
  return member == members_.end() ? nullptr : &member->value;
}

void Value::set(std::string key, Value value) {
  const auto member = std::find_if(members_.begin(), members_.end(), [&](const Member& m) { return m.key == key; });
  if (member != members_.end()) {
    member->place = value.place();
    member->value = std::move(value);
    return;
  }
  Place place = value.place();
  members_.push_back({std::move(key), std::move(place), std::move(value)});
}

}  // namespace headrace::base
