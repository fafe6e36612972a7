// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/value.h"

namespace headrace::scenario {

/// A scenario that the program carries: `scenarios/<id>.yaml`.
struct BuiltIn {
  std::string id;
  std::string shows;  ///< its first comment line: what it shows
  std::string_view text;
};

/// All of them, by id.
std::vector<BuiltIn> built_ins();

/// The document of a built-in, or of the file when the name is none: an error with the nearest names when it is
/// neither.
base::Result<base::Value> open_scenario(const std::string& name, const base::FileSystem& files);

}  // namespace headrace::scenario
