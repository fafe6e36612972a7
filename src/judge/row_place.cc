// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <regex>

#include "judge/training_case.h"

namespace headrace::judge {

namespace {

/// The first platform by id that holds this accelerator, with the stated number per node where there is one.
const catalog::Platform* any_platform(const std::string& accelerator, int per_node, const catalog::Catalog& catalog) {
  const catalog::Platform* found = nullptr;
  for (const auto& [id, platform] : catalog.platforms.entries()) {
    if (platform.accelerator != accelerator) continue;
    if (platform.accelerators == per_node) return &platform;
    if (found == nullptr) found = &platform;
  }
  return found;
}

const catalog::Software* software_of(const TrainingRow& row, const TrainingFacts& facts,
                                     const catalog::Catalog& catalog) {
  const auto* framework = facts.framework(row);
  const bool named = framework != nullptr && !framework->software.empty();
  return catalog.software.find(named ? framework->software : row.framework);
}

}  // namespace

std::optional<double> stated_bandwidth(const std::string& network, double per_node) {
  constexpr double kBytesPerGigabit = 1e9 / 8;
  std::smatch found;
  const auto flags = std::regex::icase;
  static const std::regex per_accelerator(R"((\d+(?:\.\d+)?) ?Gb/s per GPU)", flags);
  static const std::regex compute_ports(R"(Compute: (\d+)x [^,]*?(\d+) ?Gb/s)", flags);
  static const std::regex whole_node(R"((\d+(?:\.\d+)?) ?Gb(?:/s|ps)(?: \(as printed,)? per node)", flags);
  if (std::regex_search(network, found, per_accelerator)) return std::stod(found[1]) * kBytesPerGigabit;
  if (per_node <= 0) return std::nullopt;
  if (std::regex_search(network, found, compute_ports))
    return std::stod(found[1]) * std::stod(found[2]) * kBytesPerGigabit / per_node;
  if (std::regex_search(network, found, whole_node)) return std::stod(found[1]) * kBytesPerGigabit / per_node;
  return std::nullopt;
}

tl::expected<Place, std::string> place_of(const TrainingRow& row, const TrainingFacts& facts,
                                          const catalog::Catalog& catalog) {
  Place place;
  place.accelerator = catalog.accelerators.find(facts.accelerator(row));
  if (place.accelerator == nullptr) return skip("skip.unknown_accelerator");
  const auto* software = software_of(row, facts, catalog);
  if (software == nullptr) return skip("skip.unknown_software");
  place.software = *software;
  place.software.compiled = place.software.compiled && facts.left_on(row).compiled;
  for (const auto& phrase : facts.phrases) {
    if (!phrase.holds_for(row)) continue;
    if (phrase.attention) place.software.attention = *phrase.attention;
    if (phrase.routing == "neighbours") place.software.facts["routes_to_neighbours"] = "true";
    if (phrase.dispatch == "each") place.software.facts.erase("expert_dispatch_by_domain");
    if (phrase.captures_graphs) place.software.facts["captures_graphs"] = "true";
    if (phrase.hides_dispatch) place.software.facts["overlaps_expert_parallel"] = "true";
  }
  if (!row.accelerators) return skip("skip.no_accelerators");
  place.accelerators = static_cast<int>(std::lround(*row.accelerators));
  const int per_node = static_cast<int>(std::lround(row.per_node.value_or(0)));
  if (const auto* fact = facts.platform(row.source, place.accelerator->id))
    place.platform = catalog.platforms.find(fact->platform);
  if (place.platform == nullptr) place.platform = any_platform(place.accelerator->id, per_node, catalog);
  if (place.platform == nullptr) return skip("skip.unknown_platform");
  // A rack-scale domain keeps its size; a node states the size of a domain inside one server.
  if (per_node > 0 && place.platform->accelerators <= 16) place.domain = per_node;
  place.network = catalog.networks.find(place.platform->network);
  const int nodes_of = place.domain > 0 ? place.domain : place.platform->accelerators;
  if (const auto stated = stated_bandwidth(row.network, nodes_of)) place.network_bandwidth = *stated;
  const bool one_domain = place.accelerators <= nodes_of;
  if (!one_domain && place.network == nullptr && place.network_bandwidth == 0) return skip("skip.unknown_network");
  return place;
}

base::Result<training::Machine> machine_of(const Place& place, const catalog::Calibration& calibration) {
  // The row's own network stands in for the catalogue's when it states a bandwidth.
  TRY(auto machine,
      training::make_machine(*place.accelerator, *place.platform, place.network, place.software, calibration,
                             std::min(place.accelerators, std::max(1, place.platform->accelerators))));
  machine.accelerators = place.accelerators;
  if (place.network_bandwidth > 0) machine.fabric.network_bandwidth = place.network_bandwidth;
  if (place.domain > 0) machine.fabric.domain = place.domain;
  if (place.cores > 1) {
    for (auto& rate : machine.device.gemm_rate) rate /= place.cores;
    machine.device.attention_forward_rate /= place.cores;
    machine.device.attention_backward_rate /= place.cores;
    machine.device.scan_rate /= place.cores;
    machine.device.memory_rate /= place.cores;
    machine.device.memory_bandwidth /= place.cores;
    machine.fabric.domain *= place.cores;
    machine.fabric.scaleup_bandwidth /= place.cores;
    machine.fabric.network_bandwidth /= place.cores;
  }
  return machine;
}

}  // namespace headrace::judge
