// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "scenario/parts.h"

namespace headrace::scenario {
namespace {

constexpr std::array kTopologies{Named<catalog::Topology>{"switched", catalog::Topology::kSwitched},
                                 Named<catalog::Topology>{"full-mesh", catalog::Topology::kFullMesh},
                                 Named<catalog::Topology>{"hypercube-mesh", catalog::Topology::kHypercubeMesh},
                                 Named<catalog::Topology>{"ring", catalog::Topology::kRing},
                                 Named<catalog::Topology>{"torus", catalog::Topology::kTorus},
                                 Named<catalog::Topology>{"pcie", catalog::Topology::kPcie},
                                 Named<catalog::Topology>{"none", catalog::Topology::kNone}};

/// What an entry described in place starts from: a copy of the one that `like` names, or nothing.
template <typename T>
base::Result<T> starting_point(base::Fields& fields, const catalog::Shelf<T>& shelf) {
  const base::Value* like = fields.optional("like");
  if (!like) return T{};
  TRY(const std::string name, like->text());
  TRY(const T* entry, shelf.get(name, like->place()));
  return *entry;
}

/// Names the new entry and its source: the scenario itself.
template <typename T>
base::Result<std::string> shelve(base::Fields& fields, T entry, const std::string& fallback, catalog::Shelf<T>& shelf) {
  TRY(entry.name, fields.text_or("name", entry.id.empty() ? fallback : entry.name + " (changed)"));
  CHECK_OK(fields.finish());
  entry.id = catalog::fold_name(entry.name).empty() ? fallback : entry.name;
  for (int copy = 2; shelf.find(entry.id); ++copy) entry.id = entry.name + "-" + std::to_string(copy);
  entry.aliases.clear();
  entry.sources = {fields.place().file};
  std::string id = entry.id;
  CHECK_OK(shelf.add(std::move(entry), fields.place()));
  return id;
}

base::Result<void> read_peaks(const base::Value& value, catalog::Accelerator& accelerator) {
  if (!value.is_map()) return base::input_error(value.place(), "scenario.peak_kind", {value.kind_id()});
  for (const auto& member : value.members()) {
    const auto dtype = base::parse_dtype(member.key);
    if (!dtype) return base::input_error(member.place, "scenario.unknown_dtype", {member.key});
    TRY(const double peak, base::parse_quantity(member.value, base::Measure::kCompute));
    accelerator.peak[*dtype] = base::FlopsPerSecond(peak);
  }
  return {};
}

base::Result<std::string> inline_accelerator(const base::Value& value, catalog::Catalog& catalog) {
  base::Fields fields(value);
  TRY(catalog::Accelerator accelerator, starting_point(fields, catalog.accelerators));
  TRY(accelerator.family, fields.text_or("family", accelerator.family.empty() ? "other" : accelerator.family));
  CHECK_OK(read_quantity(fields, "memory", base::Measure::kBytes, accelerator.memory));
  CHECK_OK(read_quantity(fields, "memory_bandwidth", base::Measure::kBandwidth, accelerator.memory_bandwidth));
  CHECK_OK(read_quantity(fields, "l2", base::Measure::kBytes, accelerator.l2));
  CHECK_OK(read_quantity(fields, "vector_fp32", base::Measure::kCompute, accelerator.vector_fp32));
  CHECK_OK(read_quantity(fields, "scaleup_bandwidth", base::Measure::kBandwidth, accelerator.scaleup_bandwidth));
  CHECK_OK(read_quantity(fields, "power_limit", base::Measure::kPower, accelerator.power_limit));
  TRY(const auto multiprocessors, fields.maybe_integer("multiprocessors", {1, 100'000}));
  if (multiprocessors) accelerator.multiprocessors = int(*multiprocessors);
  if (const base::Value* peak = fields.optional("peak")) {
    CHECK_OK(read_peaks(*peak, accelerator));
  }
  return shelve(fields, std::move(accelerator), "inline-accelerator", catalog.accelerators);
}

/// What a platform says of the accelerator that it no longer has.
void forget_accelerator(catalog::Platform& platform) {
  platform.scaleup_bandwidth.reset();
  platform.max_power.reset();
  platform.on_demand.reset();
  platform.list_price.reset();
}

base::Result<void> read_links(base::Fields& fields, catalog::Platform& platform, catalog::Catalog& catalog) {
  if (const base::Value* topology = fields.optional("topology")) {
    TRY(platform.topology, read_word<catalog::Topology>(*topology, kTopologies));
  }
  CHECK_OK(read_quantity(fields, "scaleup_bandwidth", base::Measure::kBandwidth, platform.scaleup_bandwidth));
  if (const base::Value* network = fields.optional("network")) {
    TRY(const std::string name, network->text());
    TRY(const catalog::Network* entry, catalog.networks.get(name, network->place()));
    platform.network = entry->id;
    platform.network_bandwidth.reset();
  }
  return read_quantity(fields, "network_bandwidth", base::Measure::kBandwidth, platform.network_bandwidth);
}

}  // namespace

base::Result<std::string> inline_platform(const base::Value& value, catalog::Catalog& catalog) {
  base::Fields fields(value);
  TRY(catalog::Platform platform, starting_point(fields, catalog.platforms));
  if (const base::Value* accelerator = fields.optional("accelerator")) {
    forget_accelerator(platform);
    if (accelerator->is_map()) {
      TRY(platform.accelerator, inline_accelerator(*accelerator, catalog));
    } else {
      TRY(const std::string name, accelerator->text());
      TRY(const catalog::Accelerator* entry, catalog.accelerators.get(name, accelerator->place()));
      platform.accelerator = entry->id;
    }
  }
  if (platform.accelerator.empty()) return base::input_error(value.place(), "scenario.platform_lacks", {"accelerator"});
  TRY(const std::int64_t count, fields.integer_or("accelerators", platform.accelerators, {1, 100'000}));
  if (count < 1) return base::input_error(value.place(), "scenario.platform_lacks", {"accelerators"});
  platform.accelerators = int(count);
  CHECK_OK(read_links(fields, platform, catalog));
  CHECK_OK(read_quantity(fields, "max_power", base::Measure::kPower, platform.max_power));
  CHECK_OK(read_quantity(fields, "on_demand", base::Measure::kRentPrice, platform.on_demand));
  return shelve(fields, std::move(platform), "inline-platform", catalog.platforms);
}

base::Result<std::string> inline_network(const base::Value& value, catalog::Catalog& catalog) {
  base::Fields fields(value);
  TRY(catalog::Network network, starting_point(fields, catalog.networks));
  CHECK_OK(read_quantity(fields, "port_bandwidth", base::Measure::kBandwidth, network.port_bandwidth));
  CHECK_OK(read_quantity(fields, "latency", base::Measure::kTime, network.latency));
  if (!network.port_bandwidth) return base::input_error(value.place(), "scenario.network_lacks", {"port_bandwidth"});
  return shelve(fields, std::move(network), "inline-network", catalog.networks);
}

}  // namespace headrace::scenario
