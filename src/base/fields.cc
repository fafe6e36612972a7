// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "base/document_text.h"
#include "base/value.h"

namespace headrace::base {
namespace {

template <typename T>
Result<T> within(T number, const Value& value, const std::string& key, Range<T> range) {
  if (number >= range.low && number <= range.high) return number;
  return input_error(value.place(), "base.out_of_range",
                     {key, shown(value.raw()), fmt::format("{}", range.low), fmt::format("{}", range.high)});
}

Result<std::int64_t> integer_within(const Value& value, const std::string& key, Range<std::int64_t> range) {
  TRY(const std::int64_t number, value.integer());
  return within(number, value, key, range);
}

Result<double> number_within(const Value& value, const std::string& key, Range<double> range) {
  TRY(const double number, value.number());
  return within(number, value, key, range);
}

Result<void> expect_map(const Value& value) {
  if (value.is_map()) return {};
  const std::string found = value.is_list() ? "[…]" : value.is_null() ? "null" : shown(value.raw());
  return input_error(value.place(), "base.expected_map", {found});
}

}  // namespace

Fields::Fields(const Value& value) : value_(&value) {}

const Place& Fields::place() const { return value_->place(); }

const Value* Fields::optional(const std::string& key) {
  asked_.insert(key);
  const Value* member = value_->find(key);
  return member == nullptr || member->is_null() ? nullptr : member;
}

Result<const Value*> Fields::required(const std::string& key) {
  CHECK_OK(expect_map(*value_));
  const Value* member = optional(key);
  if (member != nullptr) return member;
  const Value* null = value_->find(key);
  return input_error(null == nullptr ? value_->place() : null->place(), "base.missing_key", {key});
}

Result<std::string> Fields::text(const std::string& key) {
  TRY(const Value* member, required(key));
  return member->text();
}

Result<std::string> Fields::text_or(const std::string& key, std::string otherwise) {
  CHECK_OK(expect_map(*value_));
  const Value* member = optional(key);
  return member == nullptr ? Result<std::string>(std::move(otherwise)) : member->text();
}

Result<bool> Fields::boolean_or(const std::string& key, bool otherwise) {
  CHECK_OK(expect_map(*value_));
  const Value* member = optional(key);
  return member == nullptr ? Result<bool>(otherwise) : member->boolean();
}

Result<std::int64_t> Fields::integer(const std::string& key, Range<std::int64_t> range) {
  TRY(const Value* member, required(key));
  return integer_within(*member, key, range);
}

Result<std::int64_t> Fields::integer_or(const std::string& key, std::int64_t otherwise, Range<std::int64_t> range) {
  TRY(const auto number, maybe_integer(key, range));
  return number.value_or(otherwise);
}

Result<std::optional<std::int64_t>> Fields::maybe_integer(const std::string& key, Range<std::int64_t> range) {
  CHECK_OK(expect_map(*value_));
  const Value* member = optional(key);
  if (member == nullptr) return std::nullopt;
  return integer_within(*member, key, range);
}

Result<double> Fields::number(const std::string& key, Range<double> range) {
  TRY(const Value* member, required(key));
  return number_within(*member, key, range);
}

Result<double> Fields::number_or(const std::string& key, double otherwise, Range<double> range) {
  TRY(const auto number, maybe_number(key, range));
  return number.value_or(otherwise);
}

Result<std::optional<double>> Fields::maybe_number(const std::string& key, Range<double> range) {
  CHECK_OK(expect_map(*value_));
  const Value* member = optional(key);
  if (member == nullptr) return std::nullopt;
  return number_within(*member, key, range);
}

Result<std::vector<std::string>> Fields::texts(const std::string& key) {
  CHECK_OK(expect_map(*value_));
  std::vector<std::string> texts;
  const Value* member = optional(key);
  if (member == nullptr) return texts;
  if (member->is_scalar()) return std::vector<std::string>{member->raw()};
  if (!member->is_list()) return input_error(member->place(), "base.expected_texts", {"{…}"});
  for (const Value& item : member->items()) {
    TRY(std::string text, item.text());
    texts.push_back(std::move(text));
  }
  return texts;
}

Result<void> Fields::finish() const {
  CHECK_OK(expect_map(*value_));
  for (const Value::Member& member : value_->members()) {
    if (asked_.contains(member.key)) continue;
    return input_error(member.place, "base.unknown_key", {shown(member.key)},
                       nearest_hint(member.key, {asked_.begin(), asked_.end()}));
  }
  return {};
}

}  // namespace headrace::base
