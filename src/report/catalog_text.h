// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/catalog_view.h"
#include "report/language.h"
#include "report/terminal.h"

namespace headrace::report {

/// A part of the catalogue for the terminal.
std::string catalog_text(const CatalogView& view, const Language& language, const Terminal& terminal);

/// The same as JSON; figures in base units, unknown facts by name.
std::string catalog_json(const CatalogView& view, const Language& language);

}  // namespace headrace::report
