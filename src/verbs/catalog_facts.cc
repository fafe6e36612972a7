// SPDX-License-Identifier: Apache-2.0
#include "verbs/catalog_facts.h"

#include <fmt/core.h>

#include "base/quantity_text.h"
#include "workload/parameters.h"

namespace headrace::verbs {
namespace {

using base::Measure;
using report::CatalogFact;

constexpr int kDigits = 4;

const char* unit_of(Measure measure) {
  switch (measure) {
    case Measure::kBytes: return "B";
    case Measure::kBandwidth: return "B/s";
    case Measure::kFrequency: return "Hz";
    case Measure::kCompute: return "FLOP/s";
    case Measure::kPower: return "W";
    case Measure::kTime: return "s";
    case Measure::kMoney: return "USD";
    case Measure::kRentPrice: return "USD/s";
    default: return "";
  }
}

template <typename Q>
CatalogFact figure(const char* label, const std::optional<Q>& value, Measure measure) {
  if (!value) return fact(label, "");
  return {label, base::print_quantity(value->value(), measure, kDigits), value->value(), unit_of(measure)};
}

CatalogFact number(const char* label, std::optional<double> value) {
  if (!value) return fact(label, "");
  return {label, fmt::format("{:g}", *value), value, ""};
}

void add_peaks(Facts& facts, const catalog::Accelerator& a) {
  if (a.peak.empty()) facts.push_back(fact("fact.peaks", ""));
  for (const auto& [dtype, peak] : a.peak)
    facts.push_back(
        figure(("fact.peak_" + std::string(base::dtype_name(dtype))).c_str(), std::optional(peak), Measure::kCompute));
}

std::string joined_flags(std::initializer_list<std::pair<const char*, bool>> flags) {
  std::string out;
  for (const auto& [name, set] : flags) {
    if (set) out += (out.empty() ? "" : ", ") + std::string(name);
  }
  return out.empty() ? "word.none" : out;
}

/// A large count with the field's letter: 70.55 B.
CatalogFact count(const char* label, double value) {
  constexpr std::pair<double, const char*> kLetters[] = {{1e12, " T"}, {1e9, " B"}, {1e6, " M"}, {1, ""}};
  for (const auto& [size, letter] : kLetters) {
    if (value >= size) return {label, fmt::format("{:.4g}{}", value / size, letter), value, ""};
  }
  return {label, "0", value, ""};
}

std::string yes_no(bool set) { return set ? "word.yes" : "word.no"; }

}  // namespace

CatalogFact fact(const std::string& label, std::string text) { return {label, std::move(text), {}, ""}; }

CatalogFact fact(const std::string& label, std::optional<int> count) {
  if (!count) return fact(label, "");
  return {label, std::to_string(*count), double(*count), ""};
}

Facts facts_of(const catalog::Accelerator& a) {
  Facts facts{fact("fact.vendor", a.vendor),
              fact("fact.architecture", a.architecture),
              fact("fact.family", a.family),
              fact("fact.year", a.year),
              fact("fact.form_factor", a.form_factor),
              number("fact.process_nm", a.process_nm),
              fact("fact.multiprocessors", a.multiprocessors),
              fact("fact.tensor_units", a.tensor_units_per_multiprocessor),
              fact("fact.tensor_fma_per_clock", a.tensor_fma_per_clock),
              fact("fact.fp32_lanes", a.fp32_lanes_per_multiprocessor),
              figure("fact.shared_memory", a.shared_memory_per_multiprocessor, Measure::kBytes),
              figure("fact.registers", a.registers_per_multiprocessor, Measure::kBytes),
              figure("fact.base_clock", a.base_clock, Measure::kFrequency),
              figure("fact.boost_clock", a.boost_clock, Measure::kFrequency)};
  add_peaks(facts, a);
  for (CatalogFact& more :
       Facts{figure("fact.vector_fp64", a.vector_fp64, Measure::kCompute),
             figure("fact.vector_fp32", a.vector_fp32, Measure::kCompute),
             number("fact.sparsity_factor", a.sparsity_factor), fact("fact.memory_type", a.memory_type),
             figure("fact.memory", a.memory, Measure::kBytes),
             figure("fact.memory_bandwidth", a.memory_bandwidth, Measure::kBandwidth),
             figure("fact.l2", a.l2, Measure::kBytes), fact("fact.scaleup_link", a.scaleup_link),
             figure("fact.scaleup_bandwidth", a.scaleup_bandwidth, Measure::kBandwidth),
             fact("fact.scaleup_links", a.scaleup_links), fact("fact.pcie", a.pcie),
             figure("fact.power_limit", a.power_limit, Measure::kPower),
             figure("fact.idle_power", a.idle_power, Measure::kPower), fact("fact.video_encoders", a.video_encoders),
             fact("fact.video_decoders", a.video_decoders), fact("fact.jpeg_decoders", a.jpeg_decoders),
             fact("fact.mig_slices", a.mig_slices), figure("fact.launch_price", a.launch_price, Measure::kMoney)})
    facts.push_back(std::move(more));
  return facts;
}

Facts facts_of(const catalog::Platform& p) {
  return {fact("fact.accelerator", p.accelerator),
          fact("fact.accelerators", std::optional(p.accelerators)),
          fact("fact.topology", catalog::topology_name(p.topology)),
          figure("fact.scaleup_bandwidth", p.scaleup_bandwidth, Measure::kBandwidth),
          fact("fact.network", p.network),
          figure("fact.network_bandwidth", p.network_bandwidth, Measure::kBandwidth),
          fact("fact.cpu", p.cpu),
          figure("fact.host_memory", p.memory, Measure::kBytes),
          figure("fact.local_storage", p.local_storage, Measure::kBytes),
          figure("fact.max_power", p.max_power, Measure::kPower),
          fact("fact.cooling", p.cooling),
          fact("fact.rack_units", p.rack_units),
          figure("fact.list_price", p.list_price, Measure::kMoney),
          figure("fact.on_demand", p.on_demand, Measure::kRentPrice),
          fact("fact.price_region_date", p.price_region_date)};
}

Facts facts_of(const catalog::Network& n) {
  return {fact("fact.kind", n.kind),
          figure("fact.port_bandwidth", n.port_bandwidth, Measure::kBandwidth),
          fact("fact.ports", n.ports),
          figure("fact.latency", n.latency, Measure::kTime),
          figure("fact.power", n.power, Measure::kPower),
          figure("fact.price", n.price, Measure::kMoney)};
}

Facts facts_of(const catalog::Price& p) {
  return {number("fact.price", p.price), fact("fact.unit", p.unit), fact("fact.date", p.date),
          fact("fact.region", p.region)};
}

Facts facts_of(const catalog::Software& s) {
  Facts facts{fact("fact.use", s.kind),
              fact("fact.framework", s.framework),
              fact("fact.version", s.version),
              fact("fact.year", std::optional(s.year)),
              fact("fact.attention", catalog::attention_name(s.attention)),
              fact("fact.fuses", joined_flags({{"norms", s.fused_norms},
                                               {"activation", s.fused_activation},
                                               {"rotary", s.fused_rotary},
                                               {"dropout_residual", s.fused_dropout_residual},
                                               {"optimizer", s.fused_optimizer},
                                               {"cross_entropy", s.fused_cross_entropy}})),
              fact("fact.overlaps", joined_flags({{"gradient_reduce", s.overlaps_gradient_reduce},
                                                  {"parameter_gather", s.overlaps_parameter_gather},
                                                  {"tensor_parallel", s.overlaps_tensor_parallel}})),
              fact("fact.compiled", yes_no(s.compiled)),
              fact("fact.cuda_graphs", yes_no(s.cuda_graphs)),
              fact("fact.gradients_in_fp32", yes_no(s.gradients_in_fp32)),
              fact("fact.sequence_parallel", yes_no(s.sequence_parallel))};
  for (const auto& [name, value] : s.facts) facts.push_back(fact(name, value));
  return facts;
}

Facts facts_of(const workload::Model& m) {
  const workload::Parameters parameters = workload::parameters(m.architecture);
  return {count("fact.parameters", parameters.total),
          count("fact.active_parameters", parameters.active),
          fact("fact.layers", std::optional(int(m.architecture.layers.size()))),
          fact("fact.hidden", std::optional(int(m.architecture.hidden))),
          fact("fact.vocabulary", std::optional(int(m.architecture.vocabulary))),
          fact("fact.context_length",
               m.architecture.context_length > 0 ? std::optional(int(m.architecture.context_length)) : std::nullopt),
          fact("fact.model_type", m.architecture.model_type)};
}

Facts facts_of(const catalog::Constant& c) {
  return {number("fact.value", c.value), number("fact.low", c.low),   number("fact.high", c.high),
          fact("fact.unit", c.unit),     fact("fact.basis", c.basis), fact("fact.evidence", c.evidence)};
}

}  // namespace headrace::verbs
