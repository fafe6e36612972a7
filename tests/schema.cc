// SPDX-License-Identifier: Apache-2.0
#include "schema.h"

#include <algorithm>

namespace headrace::tests {
namespace {

using base::Value;

constexpr std::string_view kDefinitions = "#/definitions/";

bool has_type(const Value& value, const std::string& type) {
  if (type == "null") return value.is_null();
  if (type == "object") return value.is_map();
  if (type == "array") return value.is_list();
  if (type == "string") return value.is_scalar() && value.quoted();
  if (!value.is_scalar() || value.quoted()) return false;
  if (type == "boolean") return bool(value.boolean());
  if (type == "integer") return bool(value.integer());
  return type == "number" && value.number();
}

class Checker {
 public:
  explicit Checker(const Value& root) : root_(root) {}

  void check(const Value& value, const Value& schema, const std::string& path) {
    if (const Value* reference = schema.find("$ref")) {
      const Value* target = root_.find("definitions")->find(reference->raw().substr(kDefinitions.size()));
      if (!target) return errors_.push_back(path + ": no definition " + reference->raw());
      return check(value, *target, path);
    }
    if (!check_type(value, schema)) return errors_.push_back(path + ": wrong type, " + value.kind_id());
    check_enum(value, schema, path);
    if (value.is_map()) check_members(value, schema, path);
    if (const Value* items = schema.find("items"); items && value.is_list()) {
      for (std::size_t i = 0; i < value.items().size(); ++i)
        check(value.items()[i], *items, path + "[" + std::to_string(i) + "]");
    }
  }

  std::vector<std::string> take() { return std::move(errors_); }

 private:
  static bool check_type(const Value& value, const Value& schema) {
    const Value* type = schema.find("type");
    if (!type) return true;
    if (!type->is_list()) return has_type(value, type->raw());
    return std::any_of(type->items().begin(), type->items().end(),
                       [&](const Value& one) { return has_type(value, one.raw()); });
  }

  void check_enum(const Value& value, const Value& schema, const std::string& path) {
    const Value* allowed = schema.find("enum");
    if (!allowed) return;
    const auto same = [&](const Value& one) { return one.raw() == value.raw(); };
    if (std::none_of(allowed->items().begin(), allowed->items().end(), same))
      errors_.push_back(path + ": " + value.raw() + " not allowed");
  }

  void check_members(const Value& value, const Value& schema, const std::string& path) {
    if (const Value* required = schema.find("required")) {
      for (const Value& key : required->items()) {
        if (!value.find(key.raw())) errors_.push_back(path + ": lacks " + key.raw());
      }
    }
    const Value* properties = schema.find("properties");
    const Value* more = schema.find("additionalProperties");
    for (const auto& member : value.members()) {
      const Value* known = properties ? properties->find(member.key) : nullptr;
      if (known) {
        check(member.value, *known, path + "." + member.key);
      } else if (more && more->raw() == "false") {
        errors_.push_back(path + ": unknown " + member.key);
      }
    }
  }

  const Value& root_;
  std::vector<std::string> errors_;
};

}  // namespace

std::vector<std::string> schema_errors(const Value& document, const Value& schema) {
  Checker checker(schema);
  checker.check(document, schema, "$");
  return checker.take();
}

}  // namespace headrace::tests
