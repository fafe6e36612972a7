// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/accelerator.h"
#include "catalog/calibration.h"
#include "catalog/network.h"
#include "catalog/platform.h"
#include "catalog/price.h"
#include "catalog/software.h"

namespace headrace::catalog {

/// Entries of one kind, found by id or alias with case, `-`, `_`, ` ` folded. Never a nearest match: an unknown name is
/// an error that offers some.
template <typename T>
class Shelf {
 public:
  /// An error when an id or alias is already taken by another entry.
  base::Result<void> add(T entry, const base::Place& place);
  /// nullptr when no entry has this id or alias.
  [[nodiscard]] const T* find(std::string_view name) const;
  /// As find; an unknown name is an error ("catalog.unknown_accelerator", ...) with the nearest names, an ambiguous one
  /// ("catalog.which_accelerator", ...) with its candidates.
  [[nodiscard]] base::Result<const T*> get(std::string_view name, const base::Place& place) const;
  /// Ids of the entries that a name without its variant may mean, e.g. "A100": a100-sxm4-40gb, a100-sxm4-80gb, ...
  [[nodiscard]] std::vector<std::string> candidates(std::string_view name) const;
  [[nodiscard]] const std::map<std::string, T>& entries() const { return entries_; }

 private:
  std::map<std::string, T> entries_;
  std::map<std::string, std::string> by_name_;  ///< folded id or alias → id
};

/// The facts: a value, built from the embedded data files, that anyone may copy and change.
struct Catalog {
  Shelf<Accelerator> accelerators;
  Shelf<Platform> platforms;
  Shelf<Network> networks;
  Shelf<Price> prices;
  Shelf<Software> software;
  Calibration calibration;
  std::map<std::string, std::string> sources;  ///< short name that entries cite → URL
};

/// Reads the catalogue that was built into the program.
base::Result<Catalog> load_catalog();

/// Reads the entries of one file into a catalogue: a map from kind (`sources`, `networks`, `accelerators`, `platforms`,
/// `prices`, `software`, `calibration`) to entries by id. Unsourced, impossible (a bandwidth of zero, a peak above what
/// its clock and units give by more than 10 %), dangling or double entries are errors; the catalogue is then unchanged.
base::Result<void> add_entries(Catalog& catalog, std::string_view yaml, const std::string& file);

/// Every problem that add_entries would stop at, each with its place; none when all is well.
std::vector<base::Error> check_entries(const Catalog& catalog, std::string_view yaml, const std::string& file);

/// The folded form under which names are compared.
std::string fold_name(std::string_view name);

}  // namespace headrace::catalog
