// SPDX-License-Identifier: Apache-2.0
#include "document.h"

#include <cmath>

#include "base/json_writer.h"
#include "fuzz.h"

namespace headrace::fuzz {
namespace {

void write(base::JsonWriter& out, const base::Value& value) {
  if (value.is_null()) {
    out.null();
  } else if (value.is_scalar()) {
    out.text(value.raw());
  } else if (value.is_list()) {
    out.begin_array();
    for (const base::Value& item : value.items()) write(out, item);
    out.end_array();
  } else {
    out.begin_object();
    for (const auto& member : value.members()) write(out.key(member.key), member.value);
    out.end_object();
  }
}

}  // namespace

std::string as_json(const base::Value& value) {
  base::JsonWriter out;
  write(out, value);
  return out.take();
}

bool same(const base::Value& a, const base::Value& b) {
  if (a.kind() != b.kind() || a.raw() != b.raw()) return false;
  if (a.items().size() != b.items().size() || a.members().size() != b.members().size()) return false;
  for (std::size_t i = 0; i < a.items().size(); ++i) {
    if (!same(a.items()[i], b.items()[i])) return false;
  }
  for (std::size_t i = 0; i < a.members().size(); ++i) {
    if (a.members()[i].key != b.members()[i].key || !same(a.members()[i].value, b.members()[i].value)) return false;
  }
  return true;
}

void read_all_types(const base::Value& value) {
  require(value.place().line >= 1 && value.place().column >= 1, "a value has a place");
  require(!value.kind_id().empty(), "a value has a kind");
  const auto integer = value.integer();
  const auto number = value.number();
  if (integer && number) {
    require(std::abs(static_cast<double>(*integer) - *number) <= 1e-9 * std::abs(*number), "integer equals number");
  }
  if (number) require(std::isfinite(*number), "a number is finite");
  if (!number) require(number.error().where == value.place(), "an error stands at its value");
  require(!integer || number, "an integer is a number");
  (void)value.boolean();
  (void)value.text();
  for (const base::Value& item : value.items()) read_all_types(item);
  for (const auto& member : value.members()) {
    require(member.place.line >= 1, "a key has a place");
    require(value.find(member.key) == &member.value, "a key is found");
    read_all_types(member.value);
  }
}

}  // namespace headrace::fuzz
