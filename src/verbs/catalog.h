// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/files.h"
#include "catalog/catalog.h"
#include "report/catalog_view.h"

namespace headrace::verbs {

/// Lists, shows and searches the facts. Words: none (the kinds with their counts), KIND (a table), KIND ID or ID (all
/// of an entry), `search WORD` (entries whose id, name or aliases hold the word). An unknown word offers the nearest.
base::Result<report::CatalogView> show_catalog(const std::vector<std::string>& words, const catalog::Catalog& catalog);

/// Every problem of a user's own entries, as if they were added to the catalogue; with any, the program ends as on bad
/// input (exit code 2).
base::Result<report::CatalogView> check_catalog(const std::string& path, const catalog::Catalog& catalog,
                                                const base::FileSystem& files);

}  // namespace headrace::verbs
