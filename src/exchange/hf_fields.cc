// SPDX-License-Identifier: Apache-2.0
#include "exchange/hf_fields.h"

#include <fmt/core.h>

namespace headrace::exchange {
namespace {

constexpr std::size_t kLongestList = 10'000;

const base::Value* first_of(const base::Value& map, HfFields::Names names) {
  for (const std::string_view name : names) {
    if (const base::Value* value = find_path(map, name)) return value;
  }
  return nullptr;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

const base::Value* find_path(const base::Value& map, std::string_view path) {
  const std::size_t dot = path.find('.');
  if (!map.is_map()) return nullptr;
  const base::Value* value = map.find(path.substr(0, dot));
  if (value == nullptr || value->is_null()) return nullptr;
  return dot == std::string_view::npos ? value : find_path(*value, path.substr(dot + 1));
}

const base::Value* HfFields::find(Names names) const { return first_of(*language_, names); }

const base::Value* HfFields::find_anywhere(Names names) const {
  const base::Value* value = find(names);
  return value != nullptr ? value : first_of(*outer_, names);
}

std::int64_t HfFields::as_count(const base::Value& value, std::int64_t otherwise, std::int64_t most) {
  const auto read = value.integer();
  if (!read) {
    fail(read.error());
    return 0;
  }
  if (*read == -1) return otherwise;
  if (*read >= 0 && *read <= most) return *read;
  fail({base::ErrorKind::kInput,
        {"hf.out_of_range", {fmt::format("{}", *read), "0", fmt::format("{}", most)}},
        value.place(),
        {}});
  return 0;
}

std::int64_t HfFields::count(Names names, std::int64_t otherwise, std::int64_t most) {
  const base::Value* value = find(names);
  return value == nullptr ? otherwise : as_count(*value, otherwise, most);
}

std::int64_t HfFields::required(Names names, std::int64_t of_class, std::int64_t most) {
  const base::Value* value = find(names);
  if (value == nullptr) {
    if (of_class == 0) miss(*names.begin());
    return of_class;
  }
  const std::int64_t read = as_count(*value, 0, most);
  if (read == 0) {
    fail({base::ErrorKind::kInput,
          {"hf.out_of_range", {value->raw(), "1", fmt::format("{}", most)}},
          value->place(),
          {}});
  }
  return read;
}

bool HfFields::flag(Names names, bool otherwise) {
  const base::Value* value = find(names);
  if (value == nullptr) return otherwise;
  const auto read = value->boolean();
  if (read) return *read;
  fail(read.error());
  return otherwise;
}

std::string HfFields::text(Names names) {
  const base::Value* value = find(names);
  if (value == nullptr) return "";
  const auto read = value->text();
  if (read) return *read;
  fail(read.error());
  return "";
}

double HfFields::number(Names names, double otherwise) {
  const base::Value* value = find(names);
  if (value == nullptr) return otherwise;
  const auto read = value->number();
  if (read) return *read;
  fail(read.error());
  return otherwise;
}

std::vector<std::int64_t> HfFields::counts(std::string_view name) {
  std::vector<std::int64_t> all;
  const base::Value* value = find({name});
  if (value == nullptr || !value->is_list()) return all;
  for (const base::Value& item : value->items()) {
    if (all.size() == kLongestList) break;
    all.push_back(as_count(item, 0, kWidest));
  }
  return all;
}

std::vector<std::string> HfFields::texts(std::string_view name) {
  std::vector<std::string> all;
  const base::Value* value = find({name});
  if (value == nullptr || !value->is_list()) return all;
  for (const base::Value& item : value->items()) {
    if (all.size() == kLongestList) break;
    all.push_back(item.raw());
  }
  return all;
}

void HfFields::fail(base::Error error) {
  if (!error_) error_ = std::move(error);
}

base::Result<void> HfFields::finish(const std::string& model_type) const {
  if (error_) return tl::unexpected<base::Error>(*error_);
  if (missing_.empty()) return {};
  return base::input_error(language_->place(), "hf.missing_fields", {model_type, joined(missing_)});
}

}  // namespace headrace::exchange
