// SPDX-License-Identifier: Apache-2.0
#include "base/dtype.h"
#include "catalog/read_entries.h"

namespace headrace::catalog {
namespace {

using base::Dtype;
using base::Measure;

constexpr double kMargin = 1.10;  // clocks and rates are printed rounded

/// Matrix rate of a format relative to that of 16-bit formats, at most.
double rate_over_16_bit(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFp64:
    case Dtype::kFp16:
    case Dtype::kBf16: return 1;
    case Dtype::kFp32:
    case Dtype::kTf32: return 0.5;
    case Dtype::kFp8:
    case Dtype::kInt8: return 2;
    case Dtype::kFp6:
    case Dtype::kFp4:
    case Dtype::kInt4:
    case Dtype::kNf4: return 4;
  }
  return 4;
}

// Multiprocessors × matrix units × multiply-adds per clock × 2 × boost clock, where all are known.
std::optional<base::FlopsPerSecond> clocked_16_bit_rate(const Accelerator& a) {
  if (!a.multiprocessors || !a.tensor_units_per_multiprocessor || !a.tensor_fma_per_clock || !a.boost_clock)
    return std::nullopt;
  const double per_clock = 2.0 * *a.multiprocessors * *a.tensor_units_per_multiprocessor * *a.tensor_fma_per_clock;
  return base::FlopsPerSecond(per_clock * a.boost_clock->value());
}

void check_clocked_peaks(EntryReader& peak, const Accelerator& a, base::FlopsPerSecond rate) {
  for (const auto& [dtype, value] : a.peak) {
    const base::FlopsPerSecond most = rate * rate_over_16_bit(dtype);
    if (value <= most * kMargin) continue;
    const bool twice = value <= 2.0 * most * kMargin;
    const std::string name = base::dtype_name(dtype);
    peak.problem(name, twice ? "catalog.sparse_peak" : "catalog.peak_above_clock",
                 {name, base::print_quantity(value.value(), Measure::kCompute, 4),
                  base::print_quantity(most.value(), Measure::kCompute, 4)});
  }
}

// Without clock and units: where sparsity doubles a rate, an 8-bit peak above twice the 16-bit one is a doubled one.
void check_ratio(EntryReader& peak, const Accelerator& a) {
  const auto bf16 = a.peak.find(Dtype::kBf16);
  const auto fp16 = a.peak.find(Dtype::kFp16);
  const auto base_peak = bf16 != a.peak.end() ? bf16 : fp16;
  if (base_peak == a.peak.end() || a.sparsity_factor != 2.0) return;
  for (const Dtype dtype : {Dtype::kFp8, Dtype::kInt8}) {
    const auto found = a.peak.find(dtype);
    const base::FlopsPerSecond most = 2.0 * base_peak->second;
    if (found == a.peak.end() || found->second <= most * kMargin) continue;
    peak.problem(base::dtype_name(dtype), "catalog.sparse_peak",
                 {base::dtype_name(dtype), base::print_quantity(found->second.value(), Measure::kCompute, 4),
                  base::print_quantity(most.value(), Measure::kCompute, 4)});
  }
}

struct MemoryKind {
  std::string_view prefix;
  const char* most;  ///< of a whole device
};

// Twelve stacks of the fastest HBM speed grade (JEDEC: 307, 461, 819, 1229, 2048 GB/s a stack), a 512-bit GDDR bus,
// twelve or sixteen DDR channels. Longer prefixes first.
constexpr MemoryKind kMemoryKinds[] = {{"HBM4", "25 TB/s"},    {"HBM3e", "15 TB/s"},  {"HBM3", "10 TB/s"},
                                       {"HBM2e", "5.6 TB/s"},  {"HBM2", "3.7 TB/s"},  {"GDDR7", "2.4 TB/s"},
                                       {"GDDR6X", "1.6 TB/s"}, {"GDDR6", "1.3 TB/s"}, {"LPDDR", "1.1 TB/s"},
                                       {"DDR5", "1.2 TB/s"},   {"DDR4", "0.5 TB/s"}};

void check_memory(EntryReader& reader, const Accelerator& a) {
  if (!a.memory_bandwidth) return;
  for (const MemoryKind& kind : kMemoryKinds) {
    if (!a.memory_type.starts_with(kind.prefix)) continue;
    const double most = base::parse_quantity(kind.most, Measure::kBandwidth, {}).value_or(0);
    if (a.memory_bandwidth->value() > most) {
      reader.problem(
          "bandwidth", "catalog.memory_too_fast",
          {base::print_quantity(a.memory_bandwidth->value(), Measure::kBandwidth, 4), a.memory_type, kind.most});
    }
    return;
  }
}

void check_link(EntryReader& reader, const Accelerator& a, const Catalog& catalog) {
  const Network* link = catalog.networks.find(a.scaleup_link);
  if (!a.scaleup_bandwidth || link == nullptr || !link->port_bandwidth) return;
  const std::optional<int> links = a.scaleup_links ? a.scaleup_links : link->ports;
  if (!links && link->kind != "host") return;
  const base::BytesPerSecond most = *link->port_bandwidth * links.value_or(1);
  if (*a.scaleup_bandwidth <= most * kMargin) return;
  reader.problem("bandwidth", "catalog.link_too_fast",
                 {base::print_quantity(a.scaleup_bandwidth->value(), Measure::kBandwidth, 4), link->id,
                  base::print_quantity(most.value(), Measure::kBandwidth, 4)});
}

}  // namespace

void check_accelerator(EntryReader& reader, const Accelerator& accelerator, const Catalog& catalog) {
  if (auto peak = reader.part("peak")) {
    if (const auto rate = clocked_16_bit_rate(accelerator)) {
      check_clocked_peaks(*peak, accelerator, *rate);
    } else {
      check_ratio(*peak, accelerator);
    }
  }
  if (auto memory = reader.part("memory")) check_memory(*memory, accelerator);
  if (auto scaleup = reader.part("scaleup")) check_link(*scaleup, accelerator, catalog);
}

}  // namespace headrace::catalog
