// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/csv.h"
#include "base/result.h"

namespace headrace::judge {

/// What the cells of a memory table mean: `evidence/memory_facts.yaml`. Rows are read by these phrases alone, never by
/// their ids.
struct MemoryFacts {
  struct Framework {
    std::vector<std::string> words;           ///< all stand in the software cell
    double until = 9999;                      ///< last year for which this holds
    std::string software;                     ///< catalogue id
    std::map<std::string, std::string> sets;  ///< settings where the row is silent
  };
  struct Phrase {
    std::string column;
    std::string says;  ///< stands in the cell, case folded; `#` stands for a number
    std::string sets;
    std::string to;  ///< `#` is the number found
  };
  std::vector<Framework> frameworks;       ///< the first that fits holds
  std::vector<Phrase> phrases;             ///< all that fit hold, later ones over earlier ones
  std::vector<std::string> model_endings;  ///< of model names, which leave the architecture as it is

  /// What stands behind a software cell; nullptr when none fits.
  [[nodiscard]] const Framework* framework(const std::string& cell, double year) const;
  /// What the phrases say of a row, by setting.
  [[nodiscard]] std::map<std::string, std::string> settings(const base::CsvTable& table,
                                                            const base::CsvTable::Row& row) const;
};

/// Reads the facts that were built into the program.
base::Result<MemoryFacts> load_memory_facts();
base::Result<MemoryFacts> read_memory_facts(std::string_view yaml, const std::string& file);

}  // namespace headrace::judge
