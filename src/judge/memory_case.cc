// SPDX-License-Identifier: Apache-2.0
#include "judge/memory_case.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "base/embedded.h"
#include "judge/memory_row.h"
#include "judge/training_row.h"
#include "workload/model_file.h"

namespace headrace::judge {

std::optional<double> as_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string fact(const catalog::Software& software, const char* name) {
  const auto found = software.facts.find(name);
  return found == software.facts.end() ? std::string() : found->second;
}

namespace {

/// The software entry with what the row says of it on top.
RowStatus find_software(MemoryRow& row, const MemoryFacts& facts, const catalog::Catalog& catalog, MemoryCase& out) {
  const auto* framework = facts.framework(row.cell("software"), row.number("year").value_or(9999));
  const catalog::Software* found = framework ? catalog.software.find(framework->software) : nullptr;
  if (found) row.settings.insert(framework->sets.begin(), framework->sets.end());
  if (!found) return tl::unexpected<std::string>("skip.unknown_software");
  catalog::Software& software = out.machine.software = *found;
  for (const auto& [name, value] : row.settings)
    if (name.starts_with("memory.")) software.facts[name] = value;
  if (row.settings.contains("software.compiled")) software.compiled = row.says("software.compiled");
  if (row.settings.contains("software.fused_norms")) software.fused_norms = row.says("software.fused_norms");
  if (row.says("software.fused_cross_entropy")) software.fused_cross_entropy = true;
  if (row.setting("software.attention") == "flash2") software.attention = catalog::AttentionKernel::kFlash2;
  if (row.setting("software.attention") == "unfused") software.attention = catalog::AttentionKernel::kUnfused;
  const catalog::Accelerator* accelerator = catalog.accelerators.find(row.cell("accelerator"));
  // No fused attention kernel runs on Volta (flash-attention's README: Turing and later).
  if (accelerator && accelerator->family == "volta") software.attention = catalog::AttentionKernel::kUnfused;
  return {};
}

/// The names under which a model may stand in the catalogue, the most telling first: with its size, as written, without
/// its owner, without an ending that leaves the architecture as it is.
std::vector<std::string> model_names(const MemoryRow& row, const MemoryFacts& facts) {
  std::string name = row.cell("model");
  for (const char* remark : {" truncated", " (", " reduced"})
    if (const auto at = name.find(remark); at != std::string::npos) name.resize(at);
  std::vector<std::string> names;
  const std::string plain = name.substr(name.rfind('/') + 1);
  if (!row.cell("params_b").empty()) names.push_back(plain + "-" + row.cell("params_b") + "b");
  names.insert(names.end(), {name, plain});
  for (const std::string& ending : facts.model_endings)
    if (plain.size() > ending.size() && plain.ends_with(ending))
      names.push_back(plain.substr(0, plain.size() - ending.size()));
  return names;
}

/// The architecture under any of a row's names; no layers when there is none.
workload::Architecture architecture_of(const MemoryRow& row, const MemoryFacts& facts) {
  for (const std::string& name : model_names(row, facts))
    if (auto found = workload::built_in_model(name, {})) return std::move(found->architecture);
  return {};
}

RowStatus find_model(const MemoryRow& row, const MemoryFacts& facts, KnownModels& models, MemoryCase& out) {
  const std::string key = row.cell("model") + "\n" + row.cell("params_b");
  auto known = models.find(key);
  if (known == models.end()) known = models.emplace(key, architecture_of(row, facts)).first;
  workload::Architecture& model = out.job.model = known->second;
  if (model.layers.empty()) return tl::unexpected<std::string>("skip.unknown_model");
  // A cut model keeps its first layers.
  const auto layers = row.number("layers");
  if (layers && *layers >= 1 && *layers < double(model.layers.size())) model.layers.resize(std::size_t(*layers));
  return {};
}

/// GDDR by its name, or by a bandwidth below that of the slowest HBM.
bool has_graphics_memory(const catalog::Accelerator& accelerator) {
  if (!accelerator.memory_type.empty()) return accelerator.memory_type.starts_with("GDDR");
  constexpr double kSlowestHbm = 700e9;  // P100
  return accelerator.memory_bandwidth && accelerator.memory_bandwidth->value() < kSlowestHbm;
}

/// Bytes that a process can use. A round figure is the nominal one, of which the driver keeps a part, and error
/// correction a sixteenth on server boards with graphics memory.
double usable_memory(const MemoryRow& row, const catalog::Catalog& catalog) {
  const catalog::Accelerator* accelerator = catalog.accelerators.find(row.cell("accelerator"));
  const auto gib = row.number("accel_memory_gib");
  if (gib && *gib != std::floor(*gib)) return *gib * base::kGibi;
  double bytes = gib ? *gib * base::kGibi : 0;
  if (!gib && accelerator && accelerator->memory) bytes = accelerator->memory->value();
  const catalog::Constant* driver = catalog.calibration.find("memory.driver_share");
  bytes *= 1 - (driver ? driver->value : 0);
  const bool graphics = accelerator && has_graphics_memory(*accelerator);
  const bool consumer = accelerator && accelerator->name.find("RTX") != std::string::npos;
  return graphics && !consumer ? bytes * 15 / 16 : bytes;
}

/// Bytes and quantity of the measured peak; "OOM" and "FITS" stand for themselves.
RowStatus read_measurement(const MemoryRow& row, MemoryCase& out) {
  const std::string& unit = row.cell("unit");
  const std::string& value = row.cell("value");
  std::string quantity = row.setting("quantity");
  if (quantity.empty()) quantity = fact(out.machine.software, "memory.reports");
  out.quantity = quantity == "allocated"  ? training::MemoryQuantity::kAllocated
                 : quantity == "reserved" ? training::MemoryQuantity::kReserved
                                          : training::MemoryQuantity::kDevice;
  out.ran_out = value == "OOM" || row.cell("kind") == "train_oom";
  if (out.ran_out || value == "FITS") return {};
  const auto number = as_number(value);
  if (!number || *number <= 0) return tl::unexpected<std::string>("skip.no_value");
  if (unit.starts_with("GiB")) {
    out.measured = *number * base::kGibi;
  } else if (unit.starts_with("GB")) {
    out.measured = *number * 1e9;
  } else if (unit.starts_with("MB")) {
    out.measured = *number * 1e6;
  } else if (unit.starts_with("MiB")) {
    out.measured = *number * base::kMebi;
  } else {
    return tl::unexpected<std::string>("skip.unknown_unit");
  }
  if (row.says("total")) out.measured /= std::max(1.0, row.number("n_accel").value_or(1));
  return {};
}

}  // namespace

MemoryCaseOrReason memory_case(const base::CsvTable& table, const base::CsvTable::Row& csv, const MemoryFacts& facts,
                               const catalog::Catalog& catalog, KnownModels& models) {
  MemoryRow row{table, csv, facts.settings(table, csv)};
  MemoryCase out;
  out.id = row.cell("id");
  out.source = source_of(row.cell("source_url"));
  out.accelerator = row.cell("accelerator");
  out.model = row.cell("model");
  out.machine.calibration = catalog.calibration;
  if (auto status = find_software(row, facts, catalog, out); !status) return tl::unexpected(status.error());
  out.capacity = usable_memory(row, catalog);
  if (auto status = read_measurement(row, out); !status) return tl::unexpected(status.error());
  if (auto status = find_model(row, facts, models, out); !status) return tl::unexpected(status.error());
  const auto sequence = row.number("seq_or_max_len");
  constexpr double kLongest = 1e9;
  if (!sequence || *sequence < 1 || *sequence > kLongest) return tl::unexpected<std::string>("skip.no_sequence");
  out.job.sequence = std::int64_t(*sequence);
  if (auto status = read_strategy(row, out); !status) return tl::unexpected(status.error());
  if (double(out.strategy.pipeline) * out.strategy.virtual_pipeline > double(out.job.model.layers.size()))
    return tl::unexpected<std::string>("skip.parallelism");
  read_numerics(row, out);
  read_adaptation(row, out);
  return out;
}

namespace {

double peak(const MemoryCase& known, training::MemoryQuantity quantity) {
  const auto layers = training::layer_memory(known.job, known.machine, training::shape_of(known.strategy));
  const auto layout =
      training::divide_layers(known.job.model, known.strategy.pipeline, known.strategy.virtual_pipeline);
  return training::peak_memory(layers, layout, known.job, known.machine, known.strategy, quantity).total();
}

}  // namespace

/// What the allocator reserves never exceeds the device: it gives back what it caches before it fails.
double predict(const MemoryCase& known) {
  const double bytes = peak(known, known.quantity);
  const double allocated = peak(known, training::MemoryQuantity::kAllocated);
  return known.capacity > 0 && allocated < known.capacity ? std::min(bytes, known.capacity) : bytes;
}

bool refused(const MemoryCase& known) {
  if (known.capacity <= 0) return false;
  // Under pressure the allocator gives back most of what it caches; what it cannot is fragmentation.
  MemoryCase pressed = known;
  if (const catalog::Constant* kept = known.machine.calibration.find("memory.unreclaimable"))
    pressed.machine.calibration.set("memory.fragmentation", *kept);
  return peak(pressed, training::MemoryQuantity::kDevice) > known.capacity;
}

namespace {

bool is_training(const std::string& kind) { return kind == "train_peak" || kind == "train_oom"; }

}  // namespace

base::Result<MemoryCases> memory_cases(const base::CsvTable& table, const catalog::Catalog& catalog) {
  TRY(const MemoryFacts facts, load_memory_facts());
  MemoryCases all;
  KnownModels models;
  for (const auto& row : table.rows()) {
    if (!is_training(table.cell(row, "kind"))) continue;
    ++all.rows;
    if (auto known = memory_case(table, row, facts, catalog, models))
      all.cases.push_back(std::move(*known));
    else
      ++all.skipped[known.error()];
  }
  return all;
}

base::Result<MemoryCases> built_in_memory_cases(const catalog::Catalog& catalog) {
  constexpr const char* kLedger = "evidence/memory.csv";
  TRY(const auto table, base::read_csv(base::embedded_text(kLedger), kLedger));
  return memory_cases(table, catalog);
}

}  // namespace headrace::judge
