// SPDX-License-Identifier: Apache-2.0
#include "judge/memory_case.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "judge/training_row.h"
#include "workload/model_file.h"
#include "workload/parameters.h"

namespace headrace::judge {
namespace {

using scenario::DataParallel;
using scenario::Recompute;
using Settings = std::map<std::string, std::string>;

std::optional<double> as_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// The cells and settings of one row.
struct Row {
  const base::CsvTable& table;
  const base::CsvTable::Row& row;
  Settings settings;

  [[nodiscard]] const std::string& cell(const char* name) const { return table.cell(row, name); }
  [[nodiscard]] std::optional<double> number(const char* name) const { return as_number(cell(name)); }
  [[nodiscard]] int degree(const char* name) const { return int(number(name).value_or(1)); }
  [[nodiscard]] std::string setting(const char* name) const {
    const auto found = settings.find(name);
    return found == settings.end() ? std::string() : found->second;
  }
  [[nodiscard]] std::optional<double> amount(const char* name) const { return as_number(setting(name)); }
  [[nodiscard]] bool says(const char* name) const { return setting(name) == "true"; }
};

std::string fact(const catalog::Software& software, const char* name) {
  const auto found = software.facts.find(name);
  return found == software.facts.end() ? std::string() : found->second;
}

using Status = tl::expected<void, std::string>;

/// The software entry with what the row says of it on top.
Status find_software(Row& row, const MemoryFacts& facts, const catalog::Catalog& catalog, MemoryCase& out) {
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
  const catalog::Accelerator* accelerator = catalog.accelerators.find(row.cell("accelerator"));
  // No fused attention kernel runs on Volta (flash-attention's README: Turing and later).
  if (accelerator && accelerator->family == "volta") software.attention = catalog::AttentionKernel::kUnfused;
  return {};
}

/// The names under which a model may stand in the catalogue: as written, without remarks, with its size.
std::vector<std::string> model_names(const Row& row) {
  std::string name = row.cell("model");
  for (const char* remark : {" truncated", " (", " reduced"})
    if (const auto at = name.find(remark); at != std::string::npos) name.resize(at);
  std::vector<std::string> names = {name};
  if (const auto at = name.rfind('/'); at != std::string::npos) names.push_back(name.substr(at + 1));
  if (!row.cell("params_b").empty()) names.push_back(names.back() + "-" + row.cell("params_b") + "b");
  return names;
}

/// The architecture under any of a row's names; no layers when there is none.
workload::Architecture architecture_of(const Row& row) {
  for (const std::string& name : model_names(row))
    if (auto found = workload::built_in_model(name, {})) return std::move(found->architecture);
  return {};
}

Status find_model(const Row& row, KnownModels& models, MemoryCase& out) {
  const std::string key = row.cell("model") + "\n" + row.cell("params_b");
  auto known = models.find(key);
  if (known == models.end()) known = models.emplace(key, architecture_of(row)).first;
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
double usable_memory(const Row& row, const catalog::Catalog& catalog) {
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
Status read_measurement(const Row& row, MemoryCase& out) {
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
  } else if (unit.starts_with("MiB")) {
    out.measured = *number * base::kMebi;
  } else {
    return tl::unexpected<std::string>("skip.unknown_unit");
  }
  if (row.says("total")) out.measured /= std::max(1.0, row.number("n_accel").value_or(1));
  return {};
}

std::optional<DataParallel> data_parallel(const std::string& name) {
  if (name == "ddp") return DataParallel::kDdp;
  if (name == "zero1") return DataParallel::kZero1;
  if (name == "zero2") return DataParallel::kZero2;
  if (name == "zero3") return DataParallel::kZero3;
  return std::nullopt;
}

std::optional<Recompute> recompute(const std::string& name) {
  if (name == "none") return Recompute::kNone;
  if (name == "selective") return Recompute::kSelective;
  if (name == "full") return Recompute::kFull;
  return std::nullopt;
}

Status read_degrees(const Row& row, scenario::Strategy& strategy) {
  strategy.tensor = row.degree("tp");
  strategy.pipeline = row.degree("pp");
  strategy.context = row.degree("cp");
  strategy.expert = row.degree("ep");
  const int model = strategy.tensor * strategy.pipeline * strategy.context;
  if (strategy.tensor < 1 || strategy.pipeline < 1 || strategy.context < 1 || strategy.expert < 1)
    return tl::unexpected<std::string>("skip.parallelism");
  const bool alone = row.says("alone");
  const auto ranks = alone ? std::optional<double>(1) : row.number("n_accel");
  const auto data = alone ? std::optional<double>(1) : row.number("dp");
  if (!data && !ranks) return tl::unexpected<std::string>("skip.parallelism");
  strategy.data = data ? int(*data) : int(*ranks) / model;
  if (strategy.data < 1 || (ranks && data && *ranks != model * strategy.data))
    return tl::unexpected<std::string>("skip.parallelism");
  strategy.virtual_pipeline = strategy.pipeline > 1 ? int(row.amount("virtual_pipeline").value_or(1)) : 1;
  strategy.schedule = strategy.virtual_pipeline > 1 ? scenario::Schedule::kInterleaved : scenario::Schedule::k1f1b;
  return {};
}

/// Micro-batch and how many of them; a local batch is cut into one micro-batch for each pipeline stage.
Status read_batch(const Row& row, const catalog::Software& software, scenario::Strategy& strategy) {
  const auto micro = row.number("micro_batch_or_max_seqs");
  if (!micro || *micro < 1) return tl::unexpected<std::string>("skip.no_micro_batch");
  double count = 1;
  if (const std::string text = fact(software, "memory.micro_batches"); !text.empty())
    count = as_number(text).value_or(1);
  if (strategy.pipeline > 1)
    count = 4.0 * strategy.pipeline * strategy.virtual_pipeline;  // enough to fill the pipeline
  strategy.micro_batch = int(*micro);
  if (row.says("local_batch")) {
    const int stages = strategy.pipeline * strategy.virtual_pipeline;
    strategy.micro_batch = std::max(1, int(*micro) / stages);
    count = *micro / strategy.micro_batch;
  }
  if (const auto stated = row.amount("micro_batches")) count = *stated;
  if (const auto global = row.amount("global_batch"))
    count = std::max(1.0, *global / (double(strategy.micro_batch) * strategy.data));
  strategy.global_batch = std::int64_t(count * strategy.micro_batch * strategy.data + 0.5);
  return {};
}

Status read_strategy(const Row& row, MemoryCase& out) {
  scenario::Strategy& strategy = out.strategy;
  const catalog::Software& software = out.machine.software;
  if (auto status = read_degrees(row, strategy); !status) return status;
  if (auto status = read_batch(row, software, strategy); !status) return status;
  const std::string sequence = row.setting("sequence_parallel");
  strategy.sequence_parallel =
      strategy.tensor > 1 && (sequence.empty() ? software.sequence_parallel : sequence == "true");
  auto sharding = data_parallel(row.setting("data_parallel"));
  if (!sharding) sharding = data_parallel(fact(software, "memory.data_parallel"));
  if (!sharding && strategy.data > 1) return tl::unexpected<std::string>("skip.no_sharding");
  strategy.data_parallel = sharding.value_or(DataParallel::kDdp);
  const bool sharded = strategy.data_parallel == DataParallel::kZero3 && strategy.data > 1;
  auto again = recompute(row.setting("recompute"));
  if (!again && row.amount("frozen_bits")) again = recompute(fact(software, "memory.recompute_quantized"));
  if (!again && sharded) again = recompute(fact(software, "memory.recompute_sharded"));
  if (!again) again = recompute(fact(software, "memory.recompute"));
  strategy.recompute = again.value_or(Recompute::kNone);
  strategy.offload_optimizer = row.says("offload_optimizer");
  strategy.offload_parameters = row.says("offload_parameters");
  strategy.offload_activations = row.says("offload_activations");
  return {};
}

/// Formats as the software keeps them for the row's precision, then what the row says otherwise.
void read_numerics(const Row& row, MemoryCase& out) {
  const catalog::Software& software = out.machine.software;
  const auto compute = base::parse_dtype(row.setting("compute").empty() ? "bf16" : row.setting("compute"));
  const bool sharded = out.strategy.data_parallel == DataParallel::kZero3 && out.strategy.data > 1;
  std::string pure = row.setting("pure");
  if (pure.empty() && sharded) pure = fact(software, "memory.pure_sharded");
  // Nothing updates fp16 weights without an fp32 copy unless it is told to.
  if (pure.empty() && compute != base::Dtype::kFp16) pure = fact(software, "memory.pure");
  scenario::Numerics& numerics = out.job.numerics =
      training::software_numerics(software, compute.value_or(base::Dtype::kBf16), pure == "true");
  const std::string optimizer = row.setting("optimizer");
  if (optimizer == "adam8bit") numerics.optimizer = scenario::Optimizer::kAdam8bit;
  if (optimizer == "sgd") numerics.optimizer = scenario::Optimizer::kSgd;
  if (optimizer == "muon") numerics.optimizer = scenario::Optimizer::kMuon;
  if (optimizer == "adafactor") numerics.optimizer = scenario::Optimizer::kAdafactor;
  if (row.setting("moments") == "bf16") numerics.moments = base::Dtype::kBf16;
  numerics.optimizer_in_backward = row.says("optimizer_in_backward");
  // A recipe for one accelerator may page 8-bit moments to the host and step inside the backward pass unless told
  // otherwise.
  const bool alone = out.strategy.data * out.strategy.tensor * out.strategy.pipeline == 1;
  if (alone && row.cell("optimizer").empty() && fact(software, "memory.paged_optimizer_alone") == "true") {
    numerics.optimizer = scenario::Optimizer::kAdam8bit;
    numerics.optimizer_in_backward = out.strategy.offload_optimizer = true;
  }
}

/// Whether a count of trained parameters is that of adapters of some whole rank.
bool fits_adapters(const workload::Architecture& model, workload::Trained where, double trainable) {
  double one = 0;
  for (const int kind : model.layers)
    one += workload::adapter_parameters(model, model.kinds[std::size_t(kind)], where, 1);
  const double rank = one > 0 ? trainable / one : 0;
  return rank > 0.5 && std::abs(rank - std::round(rank)) < 1e-6;
}

void read_adaptation(const Row& row, MemoryCase& out) {
  scenario::Adaptation& adaptation = out.job.adaptation;
  const auto trainable = row.amount("trainable");
  const auto parameters = workload::parameters(out.job.model);
  const bool partly = trainable && *trainable < 0.9 * parameters.total;
  const auto bits = row.amount("frozen_bits");
  if (row.cell("lora") != "yes" && !partly && !bits) return;
  adaptation.kind = bits ? scenario::FineTuning::kQlora : scenario::FineTuning::kLora;
  adaptation.frozen_bits = bits.value_or(16);
  adaptation.rank =
      row.amount("rank").value_or(as_number(fact(out.machine.software, "memory.adapter_rank")).value_or(16));
  adaptation.all_linear = fact(out.machine.software, "memory.adapters_everywhere") == "true";
  // QLoRA puts adapters on every matrix (arXiv 2305.14314, section 4); LoRA on queries and values (arXiv 2106.09685).
  if (adaptation.kind == scenario::FineTuning::kQlora) adaptation.all_linear = true;
  if (trainable && fits_adapters(out.job.model, workload::Trained::kQueryValueAdapters, *trainable))
    adaptation.all_linear = false;
  else if (trainable && fits_adapters(out.job.model, workload::Trained::kLinearAdapters, *trainable))
    adaptation.all_linear = true;
  if (row.setting("adapters") == "true") adaptation.all_linear = false;
  if (row.setting("adapters") == "all") adaptation.all_linear = true;
  adaptation.trainable_parameters = trainable.value_or(0);
  adaptation.trains_embeddings = row.says("trains_embeddings");
}

}  // namespace

MemoryCaseOrReason memory_case(const base::CsvTable& table, const base::CsvTable::Row& csv, const MemoryFacts& facts,
                               const catalog::Catalog& catalog, KnownModels& models) {
  Row row{table, csv, facts.settings(table, csv)};
  MemoryCase out;
  out.id = row.cell("id");
  out.source = source_of(row.cell("source_url"));
  out.accelerator = row.cell("accelerator");
  out.model = row.cell("model");
  out.machine.calibration = catalog.calibration;
  if (auto status = find_software(row, facts, catalog, out); !status) return tl::unexpected(status.error());
  out.capacity = usable_memory(row, catalog);
  if (auto status = read_measurement(row, out); !status) return tl::unexpected(status.error());
  if (auto status = find_model(row, models, out); !status) return tl::unexpected(status.error());
  const auto sequence = row.number("seq_or_max_len");
  if (!sequence || *sequence < 1) return tl::unexpected<std::string>("skip.no_sequence");
  out.job.sequence = std::int64_t(*sequence);
  if (auto status = read_strategy(row, out); !status) return tl::unexpected(status.error());
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

}  // namespace headrace::judge
