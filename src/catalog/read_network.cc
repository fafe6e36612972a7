// SPDX-License-Identifier: Apache-2.0
#include "catalog/read_entries.h"

namespace headrace::catalog {
namespace {

using base::Measure;

constexpr std::string_view kKinds[] = {"infiniband", "ethernet", "efa",   "cloud",  "hpc",
                                       "omni-path",  "scale-up", "host",  "switch", "switch-asic",
                                       "nic",        "optic",    "cable", "latency"};

constexpr Bounds kPort{"0.01 GB/s", "5 TB/s"};
constexpr Bounds kLatency{"1 ns", "1 s"};
constexpr Bounds kPower{"0.01 W", "100 kW"};
constexpr Bounds kPrice{"1 USD", "100000000 USD"};

}  // namespace

Network read_network(EntryReader& reader, const std::string& id, const Catalog& catalog) {
  Network out;
  reader.entry(out, id, catalog.sources);
  out.kind = reader.text("kind");
  if (!out.kind.empty()) check_word(reader, "kind", out.kind, kKinds);
  out.port_bandwidth = reader.quantity<base::BytesPerSecond>("port_bandwidth", Measure::kBandwidth, kPort);
  out.ports = reader.count("ports", {1, 100'000});
  out.latency = reader.quantity<base::Seconds>("latency", Measure::kTime, kLatency);
  out.power = reader.quantity<base::Watts>("power", Measure::kPower, kPower);
  out.price = reader.quantity<base::Dollars>("price", Measure::kMoney, kPrice);
  return out;
}

}  // namespace headrace::catalog
