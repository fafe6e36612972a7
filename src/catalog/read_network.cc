// SPDX-License-Identifier: Apache-2.0
#include "catalog/read_entries.h"

namespace headrace::catalog {
namespace {

using base::Measure;

constexpr std::array<Word<bool>, 13> kKinds{{{"infiniband", true},
                                             {"ethernet", true},
                                             {"efa", true},
                                             {"cloud", true},
                                             {"hpc", true},
                                             {"scale-up", true},
                                             {"host", true},
                                             {"switch", true},
                                             {"switch-asic", true},
                                             {"nic", true},
                                             {"optic", true},
                                             {"cable", true},
                                             {"latency", true}}};

constexpr Bounds kPort{"0.01 GB/s", "5 TB/s"};
constexpr Bounds kLatency{"1 ns", "1 s"};
constexpr Bounds kPower{"0.01 W", "100 kW"};
constexpr Bounds kPrice{"1 USD", "100000000 USD"};

}  // namespace

Network read_network(EntryReader& reader, const std::string& id, const Catalog& catalog) {
  Network out;
  reader.entry(out, id, catalog.sources);
  out.kind = reader.text("kind");
  if (!out.kind.empty()) word(reader, "kind", out.kind, kKinds, true);
  out.port_bandwidth = reader.quantity<base::BytesPerSecond>("port_bandwidth", Measure::kBandwidth, kPort);
  out.ports = reader.count("ports", {1, 100'000});
  out.latency = reader.quantity<base::Seconds>("latency", Measure::kTime, kLatency);
  out.power = reader.quantity<base::Watts>("power", Measure::kPower, kPower);
  out.price = reader.quantity<base::Dollars>("price", Measure::kMoney, kPrice);
  return out;
}

}  // namespace headrace::catalog
