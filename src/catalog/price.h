// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalog/entry.h"

namespace headrace::catalog {

/// A dated price or rate as its source prints it.
struct Price : Entry {
  double price = 0;
  std::string unit;  ///< e.g. "USD/instance-h"
  std::string date;
  std::string region;
};

}  // namespace headrace::catalog
