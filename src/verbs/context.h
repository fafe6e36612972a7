// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "base/files.h"
#include "catalog/catalog.h"

namespace headrace::verbs {

/// What a verb works with beside its scenario: the facts, the door to files, and how it may run.
struct Context {
  const catalog::Catalog& catalog;
  const base::FileSystem& files;
  int threads = 1;
  std::uint64_t seed = 0;
  std::function<void(double)> progress;  ///< 0 to 1, from any thread
};

}  // namespace headrace::verbs
