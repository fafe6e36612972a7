// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/value.h"
#include "catalog/catalog.h"
#include "scenario/scenario.h"

namespace headrace::scenario {

/// Puts what the user left out into a document: defaults, the platform's own network, the software of its time. Says
/// where each came from in its place. Leaves malformed parts alone: the reader names them.
void complete(base::Value& document, const catalog::Catalog& catalog);

/// The training software of a scenario that names none; empty when the catalogue has none.
std::string default_software(const catalog::Catalog& catalog);

/// Reads a completed document. Platforms, accelerators and networks described in place become entries of `catalog`.
/// Unknown keys, missing units, impossible values and unknown names are errors with a place.
base::Result<Scenario> read_scenario(const base::Value& document, catalog::Catalog& catalog);

}  // namespace headrace::scenario
