// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "judge/memory_row.h"
#include "workload/parameters.h"

namespace headrace::judge {
namespace {

using scenario::DataParallel;
using scenario::Recompute;

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

/// A whole number from 1 to a million, or 0.
int sensible(double count) {
  constexpr double kMost = 1e6;
  return count >= 1 && count <= kMost ? int(count) : 0;
}

RowStatus read_degrees(const MemoryRow& row, scenario::Strategy& strategy) {
  const auto degree = [&](const char* name) { return sensible(row.number(name).value_or(1)); };
  strategy.tensor = degree("tp");
  strategy.pipeline = degree("pp");
  strategy.context = degree("cp");
  strategy.expert = degree("ep");
  const double model = double(strategy.tensor) * strategy.pipeline * strategy.context;
  const bool alone = row.says("alone");
  const auto ranks = alone ? std::optional<double>(1) : row.number("n_accel");
  const auto data = alone ? std::optional<double>(1) : row.number("dp");
  if (model * strategy.expert < 1 || (!data && !ranks)) return tl::unexpected<std::string>("skip.parallelism");
  strategy.data = sensible(data ? *data : *ranks / model);
  if (strategy.data < 1 || (ranks && data && *ranks != model * strategy.data))
    return tl::unexpected<std::string>("skip.parallelism");
  strategy.virtual_pipeline =
      strategy.pipeline > 1 ? std::max(1, sensible(row.amount("virtual_pipeline").value_or(1))) : 1;
  strategy.schedule = strategy.virtual_pipeline > 1 ? scenario::Schedule::kInterleaved : scenario::Schedule::k1f1b;
  return {};
}

/// Micro-batch and how many of them; a local batch is cut into one micro-batch for each pipeline stage.
RowStatus read_batch(const MemoryRow& row, const catalog::Software& software, scenario::Strategy& strategy) {
  const auto micro = row.number("micro_batch_or_max_seqs");
  if (!micro || sensible(*micro) < 1) return tl::unexpected<std::string>("skip.no_micro_batch");
  double count = 1;
  if (const std::string text = fact(software, "memory.micro_batches"); !text.empty())
    count = as_number(text).value_or(1);
  if (strategy.pipeline > 1)
    count = 4.0 * strategy.pipeline * strategy.virtual_pipeline;  // enough to fill the pipeline
  strategy.micro_batch = int(*micro);
  if (row.says("local_batch")) {
    const int stages = std::max(1, strategy.pipeline * strategy.virtual_pipeline);
    strategy.micro_batch = std::max(1, int(*micro) / stages);
    count = *micro / strategy.micro_batch;
  }
  if (const auto stated = row.amount("micro_batches")) count = std::clamp(*stated, 1.0, 1e6);
  if (const auto global = row.amount("global_batch"))
    count = std::clamp(*global / (double(strategy.micro_batch) * strategy.data), 1.0, 1e6);
  strategy.global_batch = std::int64_t(count * strategy.micro_batch * strategy.data + 0.5);
  return {};
}

/// Whether a count of trained parameters is that of adapters of some whole rank.
bool fits_adapters(const workload::Architecture& model, workload::Trained where, double trainable) {
  double one = 0;
  for (const int kind : model.layers)
    one += workload::adapter_parameters(model, model.kinds[std::size_t(kind)], where, 1);
  const double rank = one > 0 ? trainable / one : 0;
  return rank > 0.5 && std::abs(rank - std::round(rank)) < 1e-6;
}

}  // namespace

RowStatus read_strategy(const MemoryRow& row, MemoryCase& out) {
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
  if (const auto layers = row.amount("recompute_layers")) strategy.recompute_layers = sensible(*layers);
  if (const auto group = row.amount("shard_group")) strategy.shard_group = sensible(*group);
  strategy.offload_optimizer = row.says("offload_optimizer");
  strategy.offload_parameters = row.says("offload_parameters");
  strategy.offload_activations = row.says("offload_activations");
  return {};
}

void read_numerics(const MemoryRow& row, MemoryCase& out) {
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
  if (optimizer == "muon" || optimizer == "lion") numerics.optimizer = scenario::Optimizer::kMuon;
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

void read_adaptation(const MemoryRow& row, MemoryCase& out) {
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

}  // namespace headrace::judge
