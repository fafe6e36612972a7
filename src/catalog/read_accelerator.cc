// SPDX-License-Identifier: Apache-2.0
#include "base/dtype.h"
#include "catalog/read_entries.h"

namespace headrace::catalog {
namespace {

using base::Measure;

constexpr std::string_view kFamilies[] = {"volta",  "turing", "ampere", "ada",  "hopper", "blackwell",
                                          "cdna2",  "cdna3",  "cdna4",  "tpu",  "gaudi",  "trainium",
                                          "ascend", "cpu",    "npu",    "edge", "other"};

// What a device of today or of the near future can be at all; a figure outside is a slip of the unit.
constexpr Bounds kRate{"1 GFLOP/s", "1 EFLOP/s"};
constexpr Bounds kClock{"50 MHz", "10 GHz"};
constexpr Bounds kMemory{"64 MiB", "8 TiB"};
constexpr Bounds kMemoryBandwidth{"1 GB/s", "100 TB/s"};
constexpr Bounds kCache{"16 KiB", "4 GiB"};
constexpr Bounds kPerUnit{"1 KiB", "1 GiB"};
constexpr Bounds kLink{"0.1 GB/s", "20 TB/s"};
constexpr Bounds kPower{"0.5 W", "50 kW"};
constexpr Bounds kIdle{"0.05 W", "10 kW"};
constexpr Bounds kPrice{"1 USD", "1000000 USD"};

void read_unit(EntryReader& reader, Accelerator& out) {
  auto unit = reader.part("per_multiprocessor");
  if (!unit) return;
  out.tensor_units_per_multiprocessor = unit->count("tensor_units", {1, 1024});
  out.tensor_fma_per_clock = unit->count("tensor_fma_per_clock", {1, 1 << 20});
  out.fp32_lanes_per_multiprocessor = unit->count("fp32_lanes", {1, 4096});
  out.shared_memory_per_multiprocessor = unit->quantity<base::Bytes>("shared_memory", Measure::kBytes, kPerUnit);
  out.registers_per_multiprocessor = unit->quantity<base::Bytes>("registers", Measure::kBytes, kPerUnit);
  unit->finish();
}

void read_rates(EntryReader& reader, Accelerator& out) {
  if (auto clock = reader.part("clock")) {
    out.base_clock = clock->quantity<base::Hertz>("base", Measure::kFrequency, kClock);
    out.boost_clock = clock->quantity<base::Hertz>("boost", Measure::kFrequency, kClock);
    clock->finish();
  }
  if (auto peak = reader.part("peak")) {
    for (const base::Value::Member& member : reader.member("peak")->members()) {
      const auto dtype = base::parse_dtype(member.key);
      if (!dtype) continue;  // finish() says so
      const auto rate = peak->quantity<base::FlopsPerSecond>(member.key, Measure::kCompute, kRate);
      if (rate) out.peak[*dtype] = *rate;
    }
    peak->finish();
  }
  if (auto vector = reader.part("vector")) {
    out.vector_fp32 = vector->quantity<base::FlopsPerSecond>("fp32", Measure::kCompute, kRate);
    out.vector_fp64 = vector->quantity<base::FlopsPerSecond>("fp64", Measure::kCompute, kRate);
    vector->finish();
  }
}

void read_memory(EntryReader& reader, Accelerator& out) {
  if (auto memory = reader.part("memory")) {
    out.memory_type = memory->optional_text("type");
    out.memory = memory->quantity<base::Bytes>("size", Measure::kBytes, kMemory);
    out.memory_bandwidth = memory->quantity<base::BytesPerSecond>("bandwidth", Measure::kBandwidth, kMemoryBandwidth);
    memory->finish();
  }
  out.l2 = reader.quantity<base::Bytes>("l2", Measure::kBytes, kCache);
}

void read_links(EntryReader& reader, Accelerator& out, const Catalog& catalog) {
  if (auto scaleup = reader.part("scaleup")) {
    out.scaleup_link = scaleup->optional_text("link");
    out.scaleup_bandwidth = scaleup->quantity<base::BytesPerSecond>("bandwidth", Measure::kBandwidth, kLink);
    out.scaleup_links = scaleup->count("links", {1, 1024});
    if (!out.scaleup_link.empty()) {
      if (auto link = catalog.networks.get(out.scaleup_link, scaleup->place("link")); !link)
        reader.problem(link.error());
    }
    scaleup->finish();
  }
  out.pcie = reader.optional_text("pcie");
}

void read_board(EntryReader& reader, Accelerator& out) {
  if (auto power = reader.part("power")) {
    out.power_limit = power->quantity<base::Watts>("limit", Measure::kPower, kPower);
    out.idle_power = power->quantity<base::Watts>("idle", Measure::kPower, kIdle);
    power->finish();
  }
  if (auto video = reader.part("video")) {
    out.video_encoders = video->count("encoders", {0, 64});
    out.video_decoders = video->count("decoders", {0, 64});
    out.jpeg_decoders = video->count("jpeg_decoders", {0, 64});
    video->finish();
  }
  out.mig_slices = reader.count("mig_slices", {0, 64});
  out.launch_price = reader.quantity<base::Dollars>("launch_price", Measure::kMoney, kPrice);
}

}  // namespace

Accelerator read_accelerator(EntryReader& reader, const std::string& id, const Catalog& catalog) {
  Accelerator out;
  reader.entry(out, id, catalog.sources);
  out.vendor = reader.text("vendor");
  out.architecture = reader.optional_text("architecture");
  out.family = reader.text("family");
  check_word(reader, "family", out.family, kFamilies);
  out.year = reader.count("year", {1990, 2100});
  out.form_factor = reader.optional_text("form_factor");
  out.process_nm = reader.number("process_nm", {0.5, 200});
  out.multiprocessors = reader.count("multiprocessors", {1, 1'000'000});
  read_unit(reader, out);
  read_rates(reader, out);
  out.sparsity_factor = reader.number("sparsity_factor", {1, 16});
  read_memory(reader, out);
  read_links(reader, out, catalog);
  read_board(reader, out);
  check_accelerator(reader, out, catalog);
  return out;
}

}  // namespace headrace::catalog
