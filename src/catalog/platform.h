// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/units.h"
#include "catalog/entry.h"

namespace headrace::catalog {

/// How the accelerators of one node (or NVLink domain) reach each other.
enum class Topology { kSwitched, kFullMesh, kHypercubeMesh, kRing, kTorus, kPcie, kNone };

const char* topology_name(Topology topology);

/// A server, rack-scale system or cloud instance: accelerators in one scale-up domain, and the network it comes with.
struct Platform : Entry {
  std::string accelerator;  ///< accelerator id
  int accelerators = 0;     ///< in one scale-up domain, at least 1
  Topology topology = Topology::kNone;
  std::optional<base::BytesPerSecond> scaleup_bandwidth;  ///< one way, per accelerator
  std::string network;                                    ///< default network id; empty when it has none
  std::optional<base::BytesPerSecond> network_bandwidth;  ///< one way, per accelerator, of the default network
  std::string cpu;
  std::optional<base::Bytes> memory;  ///< host
  std::optional<base::Bytes> local_storage;
  std::optional<base::Watts> max_power;
  std::string cooling;
  std::optional<int> rack_units;
  std::optional<base::Dollars> list_price;
  std::optional<base::DollarsPerSecond> on_demand;
  std::string price_region_date;
};

}  // namespace headrace::catalog
