// SPDX-License-Identifier: Apache-2.0
#include "catalog/catalog.h"
#include "fuzz.h"

using namespace headrace;

/// catalog::add_entries on an empty catalogue: places, and a failed file that leaves the catalogue as it was.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  catalog::Catalog catalog;
  const auto added = catalog::add_entries(catalog, text, "f.yaml");
  fuzz::require_good(added, text);
  const std::size_t entries = catalog.accelerators.entries().size() + catalog.platforms.entries().size() +
                              catalog.networks.entries().size() + catalog.prices.entries().size() +
                              catalog.software.entries().size();
  fuzz::require(added || entries == 0, "a refused file adds nothing");
  for (const auto& [id, accelerator] : catalog.accelerators.entries()) {
    fuzz::require(!accelerator.sources.empty(), "what is accepted has a source");
    fuzz::require(catalog.accelerators.find(id) == &accelerator, "an entry is found by its id");
  }
  // The same entries once more are taken already.
  if (added && entries > 0) fuzz::require(!catalog::add_entries(catalog, text, "f.yaml"), "double entries are refused");
  return 0;
}
