// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "workload/architecture.h"

namespace headrace::workload {

/// A model of `catalog/models`: an architecture with names and sources.
struct Model {
  std::string id;
  std::vector<std::string> aliases;
  std::vector<std::string> sources;
  double stated_parameters = 0;  ///< as published; 0 = not
  std::string stated;            ///< the published count as printed, e.g. "70.6B"
  Architecture architecture;
};

/// Reads a file of models in our own schema: `family` holds what its `models` share, each of which may say otherwise.
/// A model needs an id, a source, and sizes that fit together; unknown keys are errors.
base::Result<std::vector<Model>> read_models(std::string_view yaml, const std::string& file);

/// Reads a file with exactly one model.
base::Result<Model> read_model(std::string_view yaml, const std::string& file);

/// The built-in models' ids, sorted.
std::vector<std::string> built_in_models();

/// A built-in model by id or alias, case, `-`, `_` and spaces folded, with or without an `owner/` before it; an unknown
/// name is an error with the nearest ones. Parses only the files that hold the name.
base::Result<Model> built_in_model(std::string_view name, const base::Place& place);

}  // namespace headrace::workload
