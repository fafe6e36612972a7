// SPDX-License-Identifier: Apache-2.0
#include "verbs/prepare.h"

#include <algorithm>

#include "exchange/hf_config.h"
#include "judge/doubts.h"
#include "training/memory_habits.h"
#include "workload/activations.h"
#include "workload/model_file.h"
#include "workload/parameters.h"

namespace headrace::verbs {
namespace {

/// Names that can only be meant as files; anything else is the name of a built-in model.
bool names_a_file(std::string_view model) {
  return model.ends_with(".json") || model.starts_with("./") || model.starts_with("../") || model.starts_with("/");
}

/// Relative paths in a scenario file are tried beside it first, as its author sees them.
std::vector<std::string> paths_to_try(const scenario::Training& training) {
  std::string path = training.model;
  if (!path.ends_with(".json")) path += path.ends_with("/") ? "config.json" : "/config.json";
  const std::string& file = training.model_place.file;
  const std::size_t slash = file.rfind('/');
  if (path.starts_with("/") || training.model_place.line == 0 || slash == std::string::npos) return {path};
  return {file.substr(0, slash + 1) + path, path};
}

/// What people call the model of a file: its name without ending, or its folder where it is just config.json.
std::string name_of_file(std::string path) {
  while (path.ends_with("/")) path.pop_back();
  if (path.ends_with("/config.json")) path.resize(path.size() - std::string_view("/config.json").size());
  path = path.substr(path.rfind('/') + 1);
  if (path.ends_with(".json")) path.resize(path.size() - std::string_view(".json").size());
  return path.empty() || path == "." || path == ".." ? "config.json" : path;
}

base::Result<workload::Architecture> read_model_file(const scenario::Training& training,
                                                     const base::FileSystem& files) {
  std::optional<base::Error> first;
  for (const std::string& path : paths_to_try(training)) {
    const auto text = files.read(path);
    if (text) return exchange::read_hf_checkpoint(path, files);
    if (!first) first = text.error();
  }
  if (training.model_place.line > 0) first->where = training.model_place;
  return tl::unexpected<base::Error>(*first);
}

bool says(const catalog::Software& software, const char* fact) {
  const auto found = software.facts.find(fact);
  return found != software.facts.end() && found->second == "true";
}

/// Mixed-precision formats that the user does not choose are the software's.
void settle_formats(training::Job& job, const scenario::Training& training, const catalog::Software& software) {
  scenario::Numerics& numerics = job.numerics;
  if (base::bits(numerics.compute) > 16 || !numerics.master_weights) return;
  // Tools that fine-tune in one format do so in bf16; nothing updates fp16 weights without an fp32 copy.
  const bool pure = says(software, "memory.pure") && numerics.compute != base::Dtype::kFp16;
  const scenario::Numerics usual = training::software_numerics(software, numerics.compute, pure);
  const scenario::GivenFormats& given = training.given;
  if (!given.weights) numerics.weights = usual.weights;
  if (!given.gradients) numerics.gradients = usual.gradients;
  if (!given.moments) numerics.moments = usual.moments;
  if (!given.master_weights) numerics.master_weights = usual.master_weights;
}

/// Adapters have no count of their own in a scenario: rank and targets give it.
void count_adapters(training::Job& job) {
  if (job.adaptation.kind == scenario::FineTuning::kFull || job.adaptation.trainable_parameters > 0) return;
  const auto trained =
      job.adaptation.all_linear ? workload::Trained::kLinearAdapters : workload::Trained::kQueryValueAdapters;
  for (const int kind : job.model.layers)
    job.adaptation.trainable_parameters +=
        workload::adapter_parameters(job.model, job.model.kinds[std::size_t(kind)], trained, job.adaptation.rank);
}

/// Nobody trains in a format that the matrix units would have to emulate, as bf16 on a V100.
base::Result<void> check_format(const scenario::Scenario& scenario, const catalog::Accelerator& accelerator) {
  const base::Dtype format = scenario.training.numerics.compute;
  if (base::bits(format) > 16 || accelerator.peak.empty() || accelerator.peak.contains(format)) return {};
  std::string has;
  for (const auto& [dtype, rate] : accelerator.peak)
    has += (has.empty() ? "" : ", ") + std::string(base::dtype_name(dtype));
  const base::Value* workload = scenario.resolved.find("workload");
  const base::Value* precision = workload && workload->is_map() ? workload->find("precision") : nullptr;
  return base::input_error(precision ? precision->place() : base::Place{}, "machine.format_not_known",
                           {accelerator.id, base::dtype_name(format), has});
}

}  // namespace

base::Result<PreparedJob> prepare_job(const scenario::Scenario& scenario, const Context& context) {
  PreparedJob prepared;
  training::Job& job = prepared.job;
  if (names_a_file(scenario.training.model)) {
    TRY(job.model, read_model_file(scenario.training, context.files));
    if (job.model.name.empty()) job.model.name = name_of_file(scenario.training.model);
    prepared.provenance.push_back({"provenance.model", job.model.name, scenario.training.model});
  } else {
    TRY(workload::Model model, workload::built_in_model(scenario.training.model, scenario.training.model_place));
    job.model = std::move(model.architecture);
    if (job.model.name.empty()) job.model.name = model.id;
    prepared.provenance.push_back(
        {"provenance.model", job.model.name, model.sources.empty() ? "" : model.sources.front()});
  }
  for (const std::string& guess : job.model.guesses) prepared.warnings.push_back({guess, {}});
  job.sequence = scenario.training.sequence;
  job.numerics = scenario.training.numerics;
  job.adaptation = scenario.training.adaptation;
  TRY(const catalog::Software* software, context.catalog.software.get(scenario.software, {}));
  settle_formats(job, scenario.training, *software);
  count_adapters(job);
  TRY(const std::vector<evidence::Setting> measured, judge::built_in_settings(context.catalog));
  prepared.experience = evidence::experience_without(measured, {});
  const workload::Parameters parameters = workload::parameters(job.model);
  prepared.parameters = parameters.total;
  prepared.active_parameters = parameters.active;
  if (job.model.context_length > 0 && job.sequence > job.model.context_length)
    prepared.warnings.push_back(
        {"warning.sequence_beyond_context", {std::to_string(job.sequence), std::to_string(job.model.context_length)}});
  return prepared;
}

base::Result<std::int64_t> accelerators_of(const scenario::Scenario& scenario, const std::string& platform,
                                           std::int64_t open_nodes, const Context& context) {
  TRY(const catalog::Platform* entry, context.catalog.platforms.get(platform, {}));
  if (scenario.center.gpus) return *scenario.center.gpus;
  if (entry->accelerators < 1) return base::input_error({}, "machine.accelerators_unknown", {entry->id});
  return scenario.center.nodes.value_or(open_nodes) * entry->accelerators;
}

base::Result<PreparedMachine> prepare_machine(const scenario::Scenario& scenario, const std::string& platform,
                                              std::int64_t accelerators, const Context& context) {
  const catalog::Catalog& catalog = context.catalog;
  PreparedMachine prepared;
  TRY(prepared.platform, catalog.platforms.get(platform, {}));
  TRY(prepared.accelerator, catalog.accelerators.get(prepared.platform->accelerator, {}));
  CHECK_OK(check_format(scenario, *prepared.accelerator));
  TRY(prepared.software, catalog.software.get(scenario.software, {}));
  const std::string& network = scenario.center.network.empty() ? prepared.platform->network : scenario.center.network;
  if (!network.empty()) {
    TRY(prepared.network, catalog.networks.get(network, {}));
  }
  const std::int64_t domain = std::max(1, prepared.platform->accelerators);
  prepared.nodes = (accelerators + domain - 1) / domain;
  TRY(prepared.machine, training::make_machine(*prepared.accelerator, *prepared.platform, prepared.network,
                                               *prepared.software, catalog.calibration, int(accelerators)));
  return prepared;
}

evidence::Setting setting_of(const PreparedJob& job, const PreparedMachine& machine) {
  return judge::setting_of(job.job, *machine.accelerator, *machine.software, machine.machine.accelerators);
}

std::vector<scenario::Provenance> provenance_of(const PreparedMachine& machine) {
  const auto first_source = [](const catalog::Entry& entry) {
    return entry.sources.empty() ? std::string() : entry.sources.front();
  };
  std::vector<scenario::Provenance> out;
  out.push_back({"provenance.accelerator", machine.accelerator->id, first_source(*machine.accelerator)});
  out.push_back({"provenance.platform", machine.platform->id, first_source(*machine.platform)});
  if (machine.network) out.push_back({"provenance.network", machine.network->id, first_source(*machine.network)});
  out.push_back({"provenance.software", machine.software->id, first_source(*machine.software)});
  return out;
}

}  // namespace headrace::verbs
