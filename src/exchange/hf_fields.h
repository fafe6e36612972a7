// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"

namespace headrace::exchange {

/// Names that model classes give one thing, in order of preference. A view: made for one call, or from a constant
/// array.
class HfNames {
 public:
  HfNames(std::initializer_list<std::string_view> names) { view(names.begin(), names.size()); }
  template <std::size_t N>
  explicit(false) HfNames(const std::array<std::string_view, N>& names) {
    view(names.data(), N);
  }

  [[nodiscard]] const std::string_view* begin() const { return begin_; }
  [[nodiscard]] const std::string_view* end() const { return end_; }

 private:
  void view(const std::string_view* names, std::size_t count) {
    begin_ = names;
    end_ = names + count;
  }
  const std::string_view* begin_ = nullptr;
  const std::string_view* end_ = nullptr;
};

/// The members of a config.json by the several names that model classes give one thing. The first error and all missing
/// fields are kept until `finish`, so that a reader states its wishes in a row.
class HfFields {
 public:
  using Names = HfNames;
  /// No width, head or expert count is larger; products of three stay within 64 bits.
  static constexpr std::int64_t kWidest = 300'000;

  /// `language` describes the language model; `outer` is the whole file, which may be the same. Both must outlive the
  /// fields.
  HfFields(const base::Value& language, const base::Value& outer) : language_(&language), outer_(&outer) {}

  /// The first of these members that is there and not null; a dot leads into a map.
  [[nodiscard]] const base::Value* find(Names names) const;
  /// As find, then in the whole file.
  [[nodiscard]] const base::Value* find_anywhere(Names names) const;

  /// A count of 0 to `most`, else `otherwise`; -1, as files write "not used", counts as absent.
  std::int64_t count(Names names, std::int64_t otherwise, std::int64_t most = kWidest);
  /// A count of at least 1; when it is absent and the class has none either, the first name is missing.
  std::int64_t required(Names names, std::int64_t of_class, std::int64_t most = kWidest);
  bool flag(Names names, bool otherwise);
  std::string text(Names names);
  std::vector<std::int64_t> counts(std::string_view name);
  std::vector<std::string> texts(std::string_view name);
  double number(Names names, double otherwise);

  void fail(base::Error error);
  void miss(std::string_view name) { missing_.emplace_back(name); }
  /// The first error, or one that lists the missing fields of this model type.
  [[nodiscard]] base::Result<void> finish(const std::string& model_type) const;

 private:
  std::int64_t as_count(const base::Value& value, std::int64_t otherwise, std::int64_t most);

  const base::Value* language_;
  const base::Value* outer_;
  std::optional<base::Error> error_;
  std::vector<std::string> missing_;
};

/// A member of a map by a path of names with dots between; nullptr when there is none or it is null.
const base::Value* find_path(const base::Value& map, std::string_view path);

}  // namespace headrace::exchange
