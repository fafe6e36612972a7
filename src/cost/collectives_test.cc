// SPDX-License-Identifier: Apache-2.0
#include "cost/collectives.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace headrace::cost {
namespace {

using workload::Collective;

/// Domains of 8 with 100 GB/s links; 10 GB/s per accelerator between domains; no latencies unless a test sets them.
Fabric small_fabric() {
  Fabric fabric;
  fabric.domain = 8;
  fabric.scaleup_bandwidth = 100e9;
  fabric.network_bandwidth = 10e9;
  fabric.scaleup_efficiency = fabric.network_efficiency = fabric.all_to_all_efficiency = 1;
  return fabric;
}

double seconds(Collective collective, double bytes, const Group& group, const Fabric& fabric) {
  return collective_time(collective, base::Bytes(bytes), group, fabric).value();
}

TEST(Collectives, GroupsFollowTheStride) {
  const auto fabric = small_fabric();
  EXPECT_EQ(make_group(8, 1, fabric).per_domain, 8);
  EXPECT_EQ(make_group(16, 2, fabric).per_domain, 4);
  EXPECT_EQ(make_group(16, 8, fabric).per_domain, 1);
  EXPECT_EQ(make_group(2, 1, fabric).per_domain, 2);
}

TEST(Collectives, AllReduceInsideADomain) {
  // 2·7/8 of 1 GB at 100 GB/s.
  EXPECT_NEAR(seconds(Collective::kAllReduce, 1e9, {8, 8}, small_fabric()), 1.75 * 0.01, 1e-12);
}

TEST(Collectives, AllReduceAcrossDomainsUsesAllPortsOfTheDomain) {
  // Two domains of 8: 8 ports of 10 GB/s together, under the 100 GB/s link.
  EXPECT_NEAR(seconds(Collective::kAllReduce, 1e9, {16, 8}, small_fabric()), 2 * 15.0 / 16 / 80, 1e-12);
  // One rank in each domain: its own port alone.
  EXPECT_NEAR(seconds(Collective::kAllReduce, 1e9, {16, 1}, small_fabric()), 2 * 15.0 / 16 / 10, 1e-12);
}

TEST(Collectives, GatherIsHalfAReduce) {
  EXPECT_NEAR(2 * seconds(Collective::kAllGather, 1e9, {8, 8}, small_fabric()),
              seconds(Collective::kAllReduce, 1e9, {8, 8}, small_fabric()), 1e-12);
}

TEST(Collectives, LargeGroupsReduceOverATree) {
  auto fabric = small_fabric();
  fabric.network_latency = 1e-5;
  // 1024 domains: 2·log2(1024) hops rather than 2·1023.
  EXPECT_NEAR(seconds(Collective::kAllReduce, 1, {1024, 1}, fabric), 20e-5, 1e-8);
}

TEST(Collectives, AllToAllSplitsBetweenLinkAndNetwork) {
  // 8 of 16 ranks are elsewhere: half of the buffer over a 10 GB/s port.
  EXPECT_NEAR(seconds(Collective::kAllToAll, 1e9, {16, 8}, small_fabric()), 0.5e9 / 10e9, 1e-12);
}

RC_GTEST_PROP(Collectives, MoreBandwidthIsNeverSlower, ()) {
  auto fabric = small_fabric();
  fabric.launch = 1e-5;
  fabric.half_size = 1e6;
  const auto collective = *rc::gen::element(Collective::kAllReduce, Collective::kAllGather, Collective::kAllToAll,
                                            Collective::kSendReceive);
  const auto group = make_group(*rc::gen::inRange(2, 600), *rc::gen::inRange(1, 20), fabric);
  const double bytes = *rc::gen::inRange(1, 1000000000);
  const double before = seconds(collective, bytes, group, fabric);
  auto faster = fabric;
  faster.scaleup_bandwidth *= 1 + *rc::gen::inRange(0, 100) / 10.0;
  RC_ASSERT(seconds(collective, bytes, group, faster) <= before);
  faster.network_bandwidth *= 1 + *rc::gen::inRange(0, 100) / 10.0;
  RC_ASSERT(seconds(collective, bytes, group, faster) <= before);
}

}  // namespace
}  // namespace headrace::cost
