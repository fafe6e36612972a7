// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"
#include "base/units.h"
#include "catalog/catalog.h"
#include "workload/operators.h"

namespace headrace::cost {

/// The links between accelerators: inside a scale-up domain and between domains, with calibration joined.
struct Fabric {
  catalog::Topology topology = catalog::Topology::kSwitched;
  int domain = 8;                ///< accelerators in one scale-up domain
  double scaleup_bandwidth = 0;  ///< bytes/s one way per accelerator, data sheet
  double network_bandwidth = 0;  ///< bytes/s one way per accelerator, data sheet; 0 = no network
  double scaleup_efficiency = 0;
  double network_efficiency = 0;
  double all_to_all_efficiency = 0;  ///< further factor of all-to-all exchanges
  double scaleup_latency = 0;        ///< s per hop
  double network_latency = 0;        ///< s per hop
  double launch = 0;                 ///< s per collective
  double half_size = 0;              ///< bytes of a collective at which half of the bandwidth is reached

  friend bool operator==(const Fabric&, const Fabric&) = default;
};

/// Joins a platform, the network between its domains (nullptr = none) and the calibration. A platform without a stated
/// scale-up link uses its accelerator's, or PCI Express.
base::Result<Fabric> make_fabric(const catalog::Platform& platform, const catalog::Network* network,
                                 const catalog::Accelerator& accelerator, const catalog::Calibration& calibration);

/// Where the ranks of a group sit: `ranks` in all, `per_domain` of them share a scale-up domain.
struct Group {
  int ranks = 1;
  int per_domain = 1;
};

/// The group of `ranks` whose neighbours are `stride` accelerators apart, on domains of `fabric.domain`.
Group make_group(int ranks, std::int64_t stride, const Fabric& fabric);

/// Time of one collective alone on its links; 0 for one rank. `bytes` as in workload::Transfer.
base::Seconds collective_time(workload::Collective collective, base::Bytes bytes, const Group& group,
                              const Fabric& fabric);

}  // namespace headrace::cost
