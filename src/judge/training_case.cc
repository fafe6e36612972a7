// SPDX-License-Identifier: Apache-2.0
#include "judge/training_case.h"

#include <algorithm>
#include <cmath>

#include "base/embedded.h"
#include "training/memory.h"
#include "training/screening.h"
#include "training/step_simulation.h"

namespace headrace::judge {

namespace {

using scenario::DataParallel;
using scenario::Recompute;

int degree(const std::optional<double>& value) { return std::max(1, static_cast<int>(std::lround(value.value_or(1)))); }

std::optional<base::Dtype> compute_dtype(const std::string& precision, const catalog::Accelerator& accelerator) {
  if (!precision.empty()) return base::parse_dtype(precision);
  // Nobody trains in fp32 on matrix units of 16 bits: a silent row ran in the 16-bit format that the accelerator has.
  return accelerator.peak.contains(base::Dtype::kBf16) ? base::Dtype::kBf16 : base::Dtype::kFp16;
}

bool set_data_parallel(scenario::Strategy& strategy, const std::string& kind, int per_domain) {
  if (kind == "ddp")
    strategy.data_parallel = DataParallel::kDdp;
  else if (kind == "zero1")
    strategy.data_parallel = DataParallel::kZero1;
  else if (kind == "zero2")
    strategy.data_parallel = DataParallel::kZero2;
  else if (kind == "zero3" || kind == "fsdp" || kind == "hsdp")
    strategy.data_parallel = DataParallel::kZero3;
  else
    return false;
  const int ranks = strategy.data * strategy.context;
  if (kind == "hsdp" && ranks % per_domain == 0) strategy.shard_group = per_domain;
  return true;
}

void set_recompute(scenario::Strategy& strategy, const std::string& how, int layers) {
  strategy.recompute = Recompute::kNone;
  if (how == "full") strategy.recompute = Recompute::kFull;
  if (how == "selective" || how == "attention" || how == "attention+experts")
    strategy.recompute = Recompute::kSelective;
  if (how == "half") {
    strategy.recompute = Recompute::kFull;
    strategy.recompute_layers = std::max(1, layers / (2 * strategy.pipeline * strategy.virtual_pipeline));
  }
}

/// What the row calls selective is the framework's own kind of it, unless its notes say more.
std::string recompute_of(const TrainingRow& row, const TrainingFacts& facts, const catalog::Software& software) {
  std::string how = row.recompute;
  const auto own = software.facts.find("selective_recompute");
  if (how == "selective" && own != software.facts.end()) how = own->second;
  for (const auto& phrase : facts.phrases)
    if (!phrase.recompute.empty() && phrase.holds_for(row)) how = phrase.recompute;
  return how;
}

std::optional<std::string> set_degrees(TrainingCase& result, const TrainingRow& row) {
  auto& strategy = result.strategy;
  strategy.tensor = degree(row.tensor);
  strategy.pipeline = degree(row.pipeline);
  strategy.context = degree(row.context);
  strategy.expert = degree(row.expert);
  strategy.virtual_pipeline = strategy.pipeline > 1 ? degree(row.virtual_pipeline) : 1;
  const int model = strategy.tensor * strategy.pipeline * strategy.context;
  if (row.data && degree(row.data) * model == 2 * result.place.accelerators) {
    result.place.cores = 2;
    result.place.accelerators *= 2;
  }
  if (result.place.accelerators % model != 0) return "skip.degrees_contradict";
  strategy.data = result.place.accelerators / model;
  // Some tables count data parallel after expert parallel.
  const bool agrees =
      !row.data || degree(row.data) == strategy.data || degree(row.data) * strategy.expert == strategy.data;
  if (!agrees) return "skip.degrees_contradict";
  strategy.schedule = strategy.virtual_pipeline > 1 ? scenario::Schedule::kInterleaved : scenario::Schedule::k1f1b;
  return std::nullopt;
}

std::optional<std::string> set_batch(TrainingCase& result, const TrainingRow& row) {
  if (!row.sequence) return "skip.no_sequence";
  result.job.sequence = std::llround(*row.sequence);
  auto& strategy = result.strategy;
  if (row.global_batch)
    strategy.global_batch = std::llround(*row.global_batch);
  else if (row.micro_batch)
    strategy.global_batch = std::llround(*row.micro_batch * strategy.data);
  else
    return "skip.no_batch";
  const bool alone = strategy.pipeline == 1 && strategy.global_batch == strategy.data;
  if (!row.micro_batch && !alone) return "skip.no_micro_batch";
  const double share = static_cast<double>(strategy.global_batch) / strategy.data;
  strategy.micro_batch = std::max(1, static_cast<int>(std::min<double>(degree(row.micro_batch), share)));
  return std::nullopt;
}

void set_numerics(training::Job& job, base::Dtype compute, const TrainingRow& row, const TrainingFacts& facts,
                  const catalog::Software& software) {
  job.numerics.compute = compute;
  job.numerics.weights = base::bits(compute) < 16 ? base::Dtype::kBf16 : compute;
  const bool wide = software.gradients_in_fp32 ||
                    (compute == base::Dtype::kBf16 && software.facts.contains("bf16_gradients_in_fp32"));
  job.numerics.gradients = wide ? base::Dtype::kFp32 : job.numerics.weights;
  for (const auto& phrase : facts.phrases)
    if (!phrase.gradients.empty() && phrase.holds_for(row))
      job.numerics.gradients = phrase.gradients == "fp32" ? base::Dtype::kFp32 : base::Dtype::kBf16;
}

void set_overlaps(scenario::Strategy& strategy, const TrainingRow& row, const TrainingFacts& facts,
                  const catalog::Software& software) {
  const auto on = facts.left_on(row);
  const bool stated = !row.sequence_parallel.empty();
  strategy.sequence_parallel =
      strategy.tensor > 1 && (stated ? row.sequence_parallel == "yes" : software.sequence_parallel);
  strategy.overlap_gradient_reduce = software.overlaps_gradient_reduce && on.gradients;
  strategy.overlap_parameter_gather = software.overlaps_parameter_gather && on.parameters;
  strategy.overlap_tensor = software.overlaps_tensor_parallel && strategy.sequence_parallel && on.tensor;
}

int unstated_in(const TrainingRow& row) {
  const auto cells = {&row.data_parallel, &row.recompute, &row.precision};
  return static_cast<int>(std::count_if(cells.begin(), cells.end(), [](const auto* cell) { return cell->empty(); }));
}

/// Each part of a configuration that was assumed makes a row count for less.
double trust_of(const TrainingCase& known) {
  constexpr double kAssumed = 0.7;
  double trust = std::pow(kAssumed, known.unstated);
  // How evenly tokens spread over experts is never stated.
  if (workload::has_experts(known.job.model)) trust *= kAssumed;
  return trust;
}

/// Where a row is silent, a run is taken to recompute nothing unless it then needs far more memory than there is:
/// recipes stay near the limit, and the estimate of memory is no sharper than this.
constexpr double kFarMore = 1.6;

bool fits(const TrainingCase& known, const catalog::Calibration& calibration) {
  const auto machine = machine_of(known.place, calibration);
  if (!machine) return true;
  const auto& strategy = known.strategy;
  const auto layers = training::layer_memory(known.job, *machine, training::shape_of(strategy));
  const auto layout = training::divide_layers(known.job.model, strategy.pipeline, strategy.virtual_pipeline);
  const auto peak =
      training::peak_memory(layers, layout, known.job, *machine, strategy, training::MemoryQuantity::kAllocated);
  return peak.total() <= kFarMore * machine->device.memory;
}

/// Why a row is none of ours before anything of it is looked up.
std::optional<std::string> unfit(const TrainingRow& row, const TrainingFacts& facts) {
  if (facts.excluded.contains(row.id)) return "skip.known_fault";
  if (row.model.find("[LoRA]") != std::string::npos || row.model.find("[SFT]") != std::string::npos)
    return "skip.fine_tuning";
  if (!row.value || *row.value <= 0) return "skip.no_value";
  const auto& sources = facts.interleaved_sources;
  const bool interleaves = std::find(sources.begin(), sources.end(), row.source) != sources.end();
  if (interleaves && row.pipeline.value_or(1) > 1 && !row.virtual_pipeline) return "skip.no_virtual_pipeline";
  return std::nullopt;
}

std::optional<std::string> set_formats(TrainingCase& result, const TrainingRow& row, const TrainingFacts& facts) {
  const auto compute = compute_dtype(facts.precision(row), *result.place.accelerator);
  if (!compute) return "skip.unknown_precision";
  set_numerics(result.job, *compute, row, facts, result.place.software);
  return std::nullopt;
}

std::optional<std::string> set_sharding(TrainingCase& result, const TrainingRow& row, const TrainingFacts& facts) {
  const auto* framework = facts.framework(row);
  std::string kind = row.data_parallel;
  if (kind.empty() && framework != nullptr) kind = framework->data_parallel;
  for (const auto& phrase : facts.phrases) {
    if (!phrase.holds_for(row)) continue;
    if (!phrase.data_parallel.empty()) kind = phrase.data_parallel;
    if (phrase.optimizer == "offloaded") result.strategy.offload_optimizer = true;
  }
  const bool sharded_only = kind == "fsdp" || kind == "hsdp" || kind == "zero3";
  if (!row.tensor && !row.pipeline && !sharded_only) return "skip.no_parallelism";
  if (!set_data_parallel(result.strategy, kind, std::max(1, result.place.platform->accelerators)))
    return "skip.unknown_data_parallel";
  return std::nullopt;
}

}  // namespace

CaseOrReason training_case(const TrainingRow& row, const TrainingFacts& facts, const catalog::Catalog& catalog,
                           PublicModels& models) {
  if (const auto reason = unfit(row, facts)) return skip(*reason);
  TrainingCase result;
  result.id = row.id;
  result.source = row.source;
  result.accelerator = row.accelerator;
  result.model = row.model;
  auto place = place_of(row, facts, catalog);
  if (!place) return tl::unexpected(place.error());
  result.place = std::move(*place);
  auto model = architecture_of(row, facts, models);
  if (!model) return tl::unexpected(model.error());
  result.job.model = std::move(*model);
  if (const auto* framework = facts.framework(row); framework != nullptr && !framework->predicts_further)
    result.job.model.mtp_layers = 0;
  for (const auto& step : {set_degrees(result, row), set_batch(result, row), set_formats(result, row, facts),
                           set_sharding(result, row, facts)})
    if (step) return skip(*step);
  const auto& software = result.place.software;
  const std::string recomputed = recompute_of(row, facts, software);
  set_recompute(result.strategy, recomputed, static_cast<int>(result.job.model.layers.size()));
  if (recomputed == "attention+experts") result.place.software.facts["recomputes_experts"] = "true";
  set_overlaps(result.strategy, row, facts, software);
  if (row.recompute.empty() && result.strategy.recompute == Recompute::kNone && !fits(result, catalog.calibration))
    result.strategy.recompute = Recompute::kFull;
  const auto measured = measured_step(row, result);
  if (!measured) return tl::unexpected(measured.error());
  result.measured = *measured;
  result.unstated = unstated_in(row);
  result.trust = trust_of(result);
  return result;
}

base::Result<TrainingCases> training_cases(const base::CsvTable& table, const catalog::Catalog& catalog) {
  TRY(const auto facts, load_training_facts());
  TrainingCases all;
  PublicModels models;
  for (const auto& line : table.rows()) {
    TRY(const auto row, read_training_row(table, line));
    if (auto found = training_case(row, facts, catalog, models))
      all.cases.push_back(std::move(*found));
    else
      ++all.skipped[found.error()];
  }
  return all;
}

base::Result<TrainingCases> built_in_training_cases(const catalog::Catalog& catalog) {
  constexpr const char* kLedger = "evidence/training.csv";
  TRY(const auto table, base::read_csv(base::embedded_text(kLedger), kLedger));
  return training_cases(table, catalog);
}

CaseWork work_of(const TrainingCase& known) {
  const auto& strategy = known.strategy;
  return {training::layer_works(known.job, known.place.software, training::shape_of(strategy)),
          training::divide_layers(known.job.model, strategy.pipeline, strategy.virtual_pipeline, strategy.schedule)};
}

double step_seconds(const TrainingCase& known, const training::Machine& machine, const CaseWork& work) {
  const auto layers = training::layer_times(work.layers, known.job, machine, training::shape_of(known.strategy));
  return training::simulated_seconds(layers, work.layout, known.job, machine, known.strategy);
}

double closed_step_seconds(const TrainingCase& known, const training::Machine& machine, const CaseWork& of) {
  const auto layers = training::layer_times(of.layers, known.job, machine, training::shape_of(known.strategy));
  training::StepWork work;
  training::step_work(layers, of.layout, machine, known.strategy, work);
  const auto load = training::step_load(layers, of.layout, known.job, machine, known.strategy);
  return training::screened_seconds(work, load, machine, known.strategy);
}

base::Result<double> predict(const TrainingCase& known, const catalog::Calibration& calibration) {
  TRY(const auto machine, machine_of(known.place, calibration));
  return step_seconds(known, machine, work_of(known));
}

}  // namespace headrace::judge
