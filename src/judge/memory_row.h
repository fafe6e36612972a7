// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "base/csv.h"
#include "judge/memory_case.h"

namespace headrace::judge {

/// The number that a whole text is, if it is one.
std::optional<double> as_number(const std::string& text);

/// A fact of a software entry by name; empty when it has none.
std::string fact(const catalog::Software& software, const char* name);

/// The cells of one row of a memory table, and what phrases say of it.
struct MemoryRow {
  const base::CsvTable& table;
  const base::CsvTable::Row& row;
  std::map<std::string, std::string> settings;

  [[nodiscard]] const std::string& cell(const char* name) const { return table.cell(row, name); }
  [[nodiscard]] std::optional<double> number(const char* name) const { return as_number(cell(name)); }
  [[nodiscard]] std::string setting(const char* name) const {
    const auto found = settings.find(name);
    return found == settings.end() ? std::string() : found->second;
  }
  [[nodiscard]] std::optional<double> amount(const char* name) const { return as_number(setting(name)); }
  [[nodiscard]] bool says(const char* name) const { return setting(name) == "true"; }
};

/// Nothing, or the reason why the row cannot be predicted.
using RowStatus = tl::expected<void, std::string>;

/// Degrees, batch, sharding, recompute and offloads, with the software's habits where the row is silent.
RowStatus read_strategy(const MemoryRow& row, MemoryCase& out);
/// Number formats as the software keeps them for the row's precision, then what the row says otherwise.
void read_numerics(const MemoryRow& row, MemoryCase& out);
/// Full fine-tuning, or adapters on which matrices of what rank over frozen weights of what format.
void read_adaptation(const MemoryRow& row, MemoryCase& out);

}  // namespace headrace::judge
