// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "report/catalog_view.h"
#include "scenario/built_in.h"
#include "workload/model_file.h"

namespace headrace::verbs {

using Facts = std::vector<report::CatalogFact>;

// Everything an entry states, in the order of its data sheet; what no source gives has no text.
Facts facts_of(const catalog::Accelerator& accelerator);
Facts facts_of(const catalog::Platform& platform);
Facts facts_of(const catalog::Network& network);
Facts facts_of(const catalog::Price& price);
Facts facts_of(const catalog::Software& software);
Facts facts_of(const workload::Model& model);
Facts facts_of(const catalog::Constant& constant);

/// A text fact; an empty text is an unknown fact.
report::CatalogFact fact(const std::string& label, std::string text);
/// A plain count.
report::CatalogFact fact(const std::string& label, std::optional<int> count);

}  // namespace headrace::verbs
