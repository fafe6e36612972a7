// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headrace::catalog {

/// What every entry of the catalogue has: a name to call it by, other names that people and evidence write, and where
/// its facts were read.
struct Entry {
  std::string id;
  std::string name;
  std::vector<std::string> aliases;
  std::vector<std::string> sources;  ///< URL, then where in it; never empty
  std::string notes;
};

}  // namespace headrace::catalog
