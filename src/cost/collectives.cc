// SPDX-License-Identifier: Apache-2.0
#include "cost/collectives.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headrace::cost {

namespace {

/// One way, 16 lanes, by generation, after encoding; PCI Express base specifications.
double pcie_bandwidth(const std::string& generation) {
  if (generation == "6") return 121e9;
  if (generation == "5") return 63e9;
  if (generation == "4") return 31.5e9;
  return 15.75e9;
}

/// Bytes/s that a ring through all ranks moves past each of them: the slower of the scale-up link and the network ports
/// of the group's ranks in one domain together. Other groups on the same domains use their own ranks' ports.
double ring_bandwidth(const Group& group, const Fabric& fabric) {
  const double inside = fabric.scaleup_bandwidth * fabric.scaleup_efficiency;
  if (group.ranks <= group.per_domain) return inside;
  const double between = group.per_domain * fabric.network_bandwidth * fabric.network_efficiency;
  return group.per_domain > 1 ? std::min(inside, between) : between;
}

/// Hops of one pass around the ring, in seconds.
double ring_latency(const Group& group, const Fabric& fabric) {
  const int domains = (group.ranks + group.per_domain - 1) / group.per_domain;
  if (domains == 1) return (group.ranks - 1) * fabric.scaleup_latency;
  return (domains - 1) * fabric.network_latency + (group.ranks - domains) * fabric.scaleup_latency;
}

/// Hops up or down a tree of domains with a chain inside each.
double tree_latency(const Group& group, const Fabric& fabric) {
  const double domains = std::ceil(static_cast<double>(group.ranks) / group.per_domain);
  return (group.per_domain - 1) * fabric.scaleup_latency + std::log2(std::max(1.0, domains)) * fabric.network_latency;
}

/// Ring: `passes` of (n−1)/n of the buffer; time = launch + hops + passes·(n−1)/n·(bytes + half)/bandwidth. All-reduce
/// makes two passes and may use the tree's shorter latency instead, as NCCL does for many ranks. Source: NCCL
/// src/graph/tuning.cc.
double ring_time(double bytes, int passes, const Group& group, const Fabric& fabric) {
  double latency = passes * ring_latency(group, fabric);
  if (passes == 2) latency = std::min(latency, passes * tree_latency(group, fabric));
  const double share = passes * (group.ranks - 1.0) / group.ranks;
  return fabric.launch + latency + share * (bytes + fabric.half_size) / ring_bandwidth(group, fabric);
}

/// Every rank sends 1/n of its buffer to each other rank: to the domain's own over the scale-up link, to the rest over
/// its network port, at once.
double all_to_all_time(double bytes, const Group& group, const Fabric& fabric) {
  const double size = bytes + fabric.half_size;
  const double n = group.ranks;
  const double inside = (group.per_domain - 1) / n * size /
                        (fabric.scaleup_bandwidth * fabric.scaleup_efficiency * fabric.all_to_all_efficiency);
  if (group.ranks <= group.per_domain) return fabric.launch + fabric.scaleup_latency + inside;
  const double between = (n - group.per_domain) / n * size /
                         (fabric.network_bandwidth * fabric.network_efficiency * fabric.all_to_all_efficiency);
  return fabric.launch + fabric.network_latency + std::max(inside, between);
}

double send_time(double bytes, const Group& group, const Fabric& fabric) {
  const bool inside = group.per_domain >= group.ranks;
  const double bandwidth = inside ? fabric.scaleup_bandwidth * fabric.scaleup_efficiency
                                  : fabric.network_bandwidth * fabric.network_efficiency;
  return fabric.launch + (inside ? fabric.scaleup_latency : fabric.network_latency) + bytes / bandwidth;
}

}  // namespace

base::Result<Fabric> make_fabric(const catalog::Platform& platform, const catalog::Network* network,
                                 const catalog::Accelerator& accelerator, const catalog::Calibration& calibration) {
  Fabric fabric;
  fabric.topology = platform.topology;
  fabric.domain = std::max(1, platform.accelerators);
  const bool through_host =
      platform.topology == catalog::Topology::kPcie || platform.topology == catalog::Topology::kNone;
  if (platform.scaleup_bandwidth) {
    fabric.scaleup_bandwidth = platform.scaleup_bandwidth->value();
  } else if (accelerator.scaleup_bandwidth && !through_host) {
    fabric.scaleup_bandwidth = accelerator.scaleup_bandwidth->value();
  } else {
    fabric.scaleup_bandwidth = pcie_bandwidth(accelerator.pcie);
  }
  if (network != nullptr) {
    const bool default_network = network->id == platform.network && platform.network_bandwidth;
    if (default_network)
      fabric.network_bandwidth = platform.network_bandwidth->value();
    else if (network->port_bandwidth)
      fabric.network_bandwidth = network->port_bandwidth->value();
    else
      return base::input_error({}, "cost.no_network_bandwidth", {network->id});
  }
  TRY(fabric.scaleup_efficiency,
      calibration.family_value("link", catalog::topology_name(platform.topology), "efficiency"));
  TRY(fabric.network_efficiency,
      calibration.family_value("network", network == nullptr ? "none" : network->kind, "efficiency"));
  TRY(fabric.all_to_all_efficiency, calibration.value("collective.all_to_all_efficiency"));
  TRY(fabric.scaleup_latency, calibration.value("link.latency"));
  TRY(fabric.network_latency, calibration.value("network.latency"));
  TRY(fabric.launch, calibration.value("collective.launch"));
  TRY(fabric.half_size, calibration.value("collective.half_size"));
  return fabric;
}

Group make_group(int ranks, std::int64_t stride, const Fabric& fabric) {
  const std::int64_t fit = stride > 0 ? fabric.domain / stride : fabric.domain;
  return {ranks, static_cast<int>(std::clamp<std::int64_t>(fit, 1, std::max(1, ranks)))};
}

base::Seconds collective_time(workload::Collective collective, base::Bytes bytes, const Group& group,
                              const Fabric& fabric) {
  if (group.ranks <= 1 || bytes.value() <= 0) return base::Seconds(0);
  const double size = bytes.value();
  switch (collective) {
    case workload::Collective::kAllReduce: return base::Seconds(ring_time(size, 2, group, fabric));
    case workload::Collective::kAllGather:
    case workload::Collective::kReduceScatter:
    case workload::Collective::kBroadcast: return base::Seconds(ring_time(size, 1, group, fabric));
    case workload::Collective::kAllToAll: return base::Seconds(all_to_all_time(size, group, fabric));
    case workload::Collective::kSendReceive: return base::Seconds(send_time(size, group, fabric));
  }
  return base::Seconds(0);
}

}  // namespace headrace::cost
