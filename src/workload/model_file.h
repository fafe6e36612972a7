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
  Architecture architecture;
};

/// Reads one model file in our own schema.
base::Result<Model> read_model(std::string_view yaml, const std::string& file);

/// The built-in models' ids, sorted.
std::vector<std::string> built_in_models();

/// A built-in model by id or alias; an unknown name is an error with the nearest ones.
base::Result<Model> built_in_model(std::string_view name, const base::Place& place);

}  // namespace headrace::workload
