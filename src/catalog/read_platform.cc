// SPDX-License-Identifier: Apache-2.0
#include "catalog/read_entries.h"

namespace headrace::catalog {
namespace {

using base::Measure;

constexpr std::array<Word<Topology>, 7> kTopologies{{{"switched", Topology::kSwitched},
                                                     {"full-mesh", Topology::kFullMesh},
                                                     {"hypercube-mesh", Topology::kHypercubeMesh},
                                                     {"ring", Topology::kRing},
                                                     {"torus", Topology::kTorus},
                                                     {"pcie", Topology::kPcie},
                                                     {"none", Topology::kNone}}};

constexpr Bounds kLink{"0.01 GB/s", "20 TB/s"};
constexpr Bounds kMemory{"1 GiB", "4096 TiB"};
constexpr Bounds kStorage{"1 GB", "100 PB"};
constexpr Bounds kPower{"10 W", "100 MW"};
constexpr Bounds kPrice{"1 USD", "1000000000 USD"};
constexpr Bounds kRent{"0.001 USD/h", "1000000 USD/h"};
constexpr double kMargin = 1.10;  // links are printed rounded: 31 or 32 GB/s for PCIe 4

void read_scaleup(EntryReader& reader, Platform& out, const Accelerator* accelerator) {
  auto scaleup = reader.part("scaleup");
  if (!scaleup) return;
  const std::string topology = scaleup->optional_text("topology");
  if (!topology.empty()) out.topology = word(*scaleup, "topology", topology, kTopologies, Topology::kNone);
  out.scaleup_bandwidth = scaleup->quantity<base::BytesPerSecond>("bandwidth", Measure::kBandwidth, kLink);
  scaleup->finish();
  if (accelerator == nullptr || !accelerator->scaleup_bandwidth || !out.scaleup_bandwidth) return;
  if (*out.scaleup_bandwidth <= *accelerator->scaleup_bandwidth * kMargin) return;
  scaleup->problem("bandwidth", "catalog.link_too_fast",
                   {base::print_quantity(out.scaleup_bandwidth->value(), Measure::kBandwidth, 4), accelerator->id,
                    base::print_quantity(accelerator->scaleup_bandwidth->value(), Measure::kBandwidth, 4)});
}

void read_network_part(EntryReader& reader, Platform& out, const Catalog& catalog) {
  auto network = reader.part("network");
  if (!network) return;
  out.network = network->text("id");
  out.network_bandwidth = network->quantity<base::BytesPerSecond>("bandwidth", Measure::kBandwidth, kLink);
  network->finish();
  if (out.network.empty()) return;
  if (auto entry = catalog.networks.get(out.network, network->place("id"))) {
    out.network = (*entry)->id;
  } else {
    reader.problem(entry.error());
  }
}

void read_prices(EntryReader& reader, Platform& out) {
  out.list_price = reader.quantity<base::Dollars>("list_price", Measure::kMoney, kPrice);
  if (auto rent = reader.part("on_demand")) {
    out.on_demand = rent->quantity<base::DollarsPerSecond>("price", Measure::kRentPrice, kRent);
    out.price_region_date = rent->text("where");
    rent->finish();
  }
}

}  // namespace

const char* topology_name(Topology topology) {
  for (const Word<Topology>& word : kTopologies) {
    if (word.value == topology) return word.name.data();
  }
  return "none";
}

Platform read_platform(EntryReader& reader, const std::string& id, const Catalog& catalog) {
  Platform out;
  reader.entry(out, id, catalog.sources);
  out.accelerator = reader.text("accelerator");
  const Accelerator* accelerator = nullptr;
  if (!out.accelerator.empty()) {
    if (auto entry = catalog.accelerators.get(out.accelerator, reader.place("accelerator"))) {
      accelerator = *entry;
      out.accelerator = accelerator->id;
    } else {
      reader.problem(entry.error());
    }
  }
  if (reader.member("accelerators") == nullptr) reader.problem("accelerators", "base.missing_key", {"accelerators"});
  out.accelerators = reader.count("accelerators", {1, 1'000'000}).value_or(1);
  read_scaleup(reader, out, accelerator);
  read_network_part(reader, out, catalog);
  out.cpu = reader.optional_text("cpu");
  out.memory = reader.quantity<base::Bytes>("memory", Measure::kBytes, kMemory);
  out.local_storage = reader.quantity<base::Bytes>("local_storage", Measure::kBytes, kStorage);
  out.max_power = reader.quantity<base::Watts>("max_power", Measure::kPower, kPower);
  out.cooling = reader.optional_text("cooling");
  out.rack_units = reader.count("rack_units", {1, 1000});
  read_prices(reader, out);
  return out;
}

}  // namespace headrace::catalog
