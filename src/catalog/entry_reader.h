// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity_text.h"
#include "base/value.h"
#include "catalog/entry.h"

namespace headrace::catalog {

/// The figures of a kind's field that are possible at all, in the field's own unit: `low` and `high` are written as a
/// user would.
struct Bounds {
  const char* low;
  const char* high;
};

/// Reads the members of one entry. A mistake is noted and reading goes on, so that all mistakes of an entry are listed
/// at once.
class EntryReader {
 public:
  EntryReader(const base::Value& value, std::vector<base::Error>& problems)
      : value_(&value), fields_(value), problems_(&problems) {}

  /// Id, name, aliases, sources and notes; `known_sources` spells short names out. An entry without a source is a
  /// problem.
  void entry(Entry& entry, const std::string& id, const std::map<std::string, std::string>& known_sources);

  [[nodiscard]] std::string text(const std::string& key);           ///< must be there
  [[nodiscard]] std::string optional_text(const std::string& key);  ///< empty when absent
  [[nodiscard]] std::vector<std::string> texts(const std::string& key);
  [[nodiscard]] bool flag(const std::string& key);  ///< false when absent
  [[nodiscard]] std::optional<int> count(const std::string& key, base::Range<std::int64_t> range);
  [[nodiscard]] std::optional<double> number(const std::string& key, base::Range<double> range);

  /// A figure with its unit, within bounds.
  template <typename Q>
  [[nodiscard]] std::optional<Q> quantity(const std::string& key, base::Measure measure, Bounds bounds) {
    const std::optional<double> value = figure(key, measure, bounds);
    return value ? std::optional<Q>(Q(*value)) : std::nullopt;
  }

  /// A reader of the map under a key; none when the key is absent.
  [[nodiscard]] std::optional<EntryReader> part(const std::string& key);
  /// The member, marked as read; nullptr when absent.
  [[nodiscard]] const base::Value* member(const std::string& key) { return fields_.optional(key); }

  /// Notes a problem at a key's value, or at the entry when the key is absent.
  void problem(const std::string& key, std::string id, std::vector<std::string> arguments = {},
               std::optional<base::Message> hint = std::nullopt);
  void problem(base::Error error) { problems_->push_back(std::move(error)); }
  [[nodiscard]] base::Place place(const std::string& key) const;

  /// Notes the first key that nothing asked for.
  void finish();

 private:
  [[nodiscard]] std::optional<double> figure(const std::string& key, base::Measure measure, Bounds bounds);

  template <typename T>
  T keep(base::Result<T> result, T otherwise) {
    if (result) return std::move(*result);
    problems_->push_back(std::move(result.error()));
    return otherwise;
  }

  const base::Value* value_;
  base::Fields fields_;
  std::vector<base::Error>* problems_;
};

}  // namespace headrace::catalog
