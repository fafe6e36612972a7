// SPDX-License-Identifier: Apache-2.0
#include "verbs/compare.h"

#include <algorithm>

#include "base/quantity_text.h"
#include "verbs/plan.h"

namespace headrace::verbs {
namespace {

using base::Measure;
using scenario::FactColumn;

template <typename Q>
std::string shown(const std::optional<Q>& value, Measure measure) {
  return value ? base::print_quantity(value->value(), measure) : "fact.unknown";
}

std::string shown(const std::optional<int>& value) { return value ? std::to_string(*value) : "fact.unknown"; }

std::string peak(const catalog::Accelerator& accelerator, base::Dtype dtype) {
  const auto found = accelerator.peak.find(dtype);
  return found == accelerator.peak.end() ? "fact.none" : base::print_quantity(found->second.value(), Measure::kCompute);
}

FactColumn facts_of(const catalog::Accelerator& a) {
  return {a.id,
          {{"fact.architecture", a.architecture},
           {"fact.year", shown(a.year)},
           {"fact.memory", shown(a.memory, Measure::kBytes)},
           {"fact.memory_bandwidth", shown(a.memory_bandwidth, Measure::kBandwidth)},
           {"fact.peak_bf16", peak(a, base::Dtype::kBf16)},
           {"fact.peak_fp16", peak(a, base::Dtype::kFp16)},
           {"fact.peak_fp8", peak(a, base::Dtype::kFp8)},
           {"fact.peak_fp4", peak(a, base::Dtype::kFp4)},
           {"fact.scaleup_bandwidth", shown(a.scaleup_bandwidth, Measure::kBandwidth)},
           {"fact.power_limit", shown(a.power_limit, Measure::kPower)}}};
}

FactColumn facts_of(const catalog::Platform& p) {
  return {p.id,
          {{"fact.accelerator", p.accelerator},
           {"fact.accelerators", p.accelerators > 0 ? std::to_string(p.accelerators) : "fact.unknown"},
           {"fact.topology", catalog::topology_name(p.topology)},
           {"fact.scaleup_bandwidth", shown(p.scaleup_bandwidth, Measure::kBandwidth)},
           {"fact.network", p.network.empty() ? "fact.unknown" : p.network},
           {"fact.network_bandwidth", shown(p.network_bandwidth, Measure::kBandwidth)},
           {"fact.max_power", shown(p.max_power, Measure::kPower)},
           {"fact.list_price", shown(p.list_price, Measure::kMoney)},
           {"fact.on_demand", shown(p.on_demand, Measure::kRentPrice)}}};
}

FactColumn facts_of(const catalog::Network& n) {
  return {n.id,
          {{"fact.kind", n.kind},
           {"fact.port_bandwidth", shown(n.port_bandwidth, Measure::kBandwidth)},
           {"fact.ports", shown(n.ports)},
           {"fact.latency", shown(n.latency, Measure::kTime)},
           {"fact.power", shown(n.power, Measure::kPower)}}};
}

/// Columns of all names on one shelf; nothing when one of them is not there.
template <typename T>
std::optional<scenario::Comparison> columns(const std::vector<std::string>& names, const catalog::Shelf<T>& shelf) {
  scenario::Comparison comparison;
  for (const std::string& name : names) {
    const T* entry = shelf.find(name);
    if (!entry) return std::nullopt;
    comparison.names.push_back(entry->id);
    comparison.facts.push_back(facts_of(*entry));
  }
  return comparison;
}

}  // namespace

base::Result<scenario::Comparison> compare(const std::vector<Contender>& contenders, const Context& context) {
  scenario::Comparison comparison;
  for (const Contender& contender : contenders) {
    TRY(scenario::Outcome outcome, plan(contender.scenario, context));
    comparison.names.push_back(contender.name);
    comparison.outcomes.push_back(std::move(outcome));
  }
  return comparison;
}

std::optional<scenario::Comparison> compare_entries(const std::vector<std::string>& names,
                                                    const catalog::Catalog& catalog) {
  if (auto platforms = columns(names, catalog.platforms)) return platforms;
  if (auto accelerators = columns(names, catalog.accelerators)) return accelerators;
  return columns(names, catalog.networks);
}

}  // namespace headrace::verbs
