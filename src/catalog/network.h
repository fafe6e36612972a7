// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/units.h"
#include "catalog/entry.h"

namespace headrace::catalog {

/// A network generation, switch, adapter, cable or latency fact.
struct Network : Entry {
  std::string kind;  ///< infiniband, ethernet, efa, cloud, hpc, omni-path, scale-up, host, switch, switch-asic, nic,
                     ///< optic, cable, latency
  std::optional<base::BytesPerSecond> port_bandwidth;  ///< one way, of one port or link
  std::optional<int> ports;
  std::optional<base::Seconds> latency;
  std::optional<base::Watts> power;
  std::optional<base::Dollars> price;
};

}  // namespace headrace::catalog
