// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"

namespace headrace::report {

/// One fact of a catalogue entry. Text is how people read it; a figure also stands as a number in its base unit.
struct CatalogFact {
  std::string label;  ///< message id, "fact.…"
  std::string text;   ///< empty: no source gives it; word.yes, word.no and word.none are said in the reader's tongue
  std::optional<double> number;
  std::string unit;  ///< of the number: B, B/s, FLOP/s, Hz, W, s, USD, USD/s; empty for counts
};

struct CatalogKinds {
  struct Kind {
    std::string id;  ///< as the user types it: accelerators, platforms, …
    std::size_t entries = 0;
  };
  std::vector<Kind> kinds;
};

struct CatalogTable {
  std::string kind;  ///< empty when rows of several kinds stand in it, as search finds them
  std::vector<std::string> labels;
  std::vector<std::vector<CatalogFact>> rows;
};

struct CatalogEntry {
  std::string kind;
  std::string id;
  std::string name;
  std::vector<std::string> aliases;
  std::vector<CatalogFact> facts;
  std::vector<std::string> sources;
  std::string notes;
};

/// What is wrong with a user's own entries.
struct CatalogCheck {
  std::string file;
  std::vector<base::Error> problems;
};

using CatalogView = std::variant<CatalogKinds, CatalogTable, CatalogEntry, CatalogCheck>;

}  // namespace headrace::report
