// SPDX-License-Identifier: Apache-2.0
#include "training/job.h"

#include <algorithm>

#include "training/schedule/schedule.h"

namespace headrace::training {

namespace {

base::Result<StepConstants> join_step_constants(const catalog::Software& software,
                                                const catalog::Calibration& calibration) {
  StepConstants constants;
  TRY(constants.straggler, calibration.value("step.straggler"));
  TRY(constants.overlap_slowdown, calibration.value("step.overlap_slowdown"));
  TRY(constants.host_step, calibration.value("step.host"));
  TRY(constants.host_pass, calibration.value("step.host_pass"));
  TRY(constants.optimizer_efficiency,
      calibration.value(software.fused_optimizer ? "optimizer.fused.efficiency" : "optimizer.unfused.efficiency"));
  TRY(constants.tensor_exposed, calibration.value("step.tensor_exposed"));
  TRY(constants.expert_exposed, calibration.value("step.expert_exposed"));
  TRY(constants.offload_bandwidth, calibration.value("optimizer.offload_bandwidth"));
  constants.zero1_reduces_whole = software.facts.contains("zero1_reduces_whole");
  const auto keeps = software.facts.find("memory.pipeline_keeps_whole");
  constants.pipeline_keeps_whole = keeps != software.facts.end() && keeps->second == "true";
  return constants;
}

void add_layer(std::vector<int>& counts, int kind) { ++counts[static_cast<std::size_t>(kind)]; }

}  // namespace

base::Result<Machine> make_machine(const catalog::Accelerator& accelerator, const catalog::Platform& platform,
                                   const catalog::Network* network, const catalog::Software& software,
                                   const catalog::Calibration& calibration, int accelerators) {
  Machine machine;
  machine.accelerators = accelerators;
  machine.software = software;
  machine.calibration = calibration;
  TRY(machine.device, cost::make_device(accelerator, software, calibration));
  TRY(machine.fabric, cost::make_fabric(platform, network, accelerator, calibration));
  if (accelerators > machine.fabric.domain && machine.fabric.network_bandwidth <= 0)
    return base::input_error({}, "cost.no_network", {platform.id, std::to_string(accelerators)});
  TRY(machine.constants, join_step_constants(software, calibration));
  return machine;
}

Shape shape_of(const scenario::Strategy& strategy) {
  return {.tensor = strategy.tensor,
          .context = strategy.context,
          .expert = strategy.expert,
          .expert_tensor = strategy.expert_tensor,
          .micro_batch = strategy.micro_batch,
          .sequence_parallel = strategy.sequence_parallel,
          .overlap_tensor = strategy.overlap_tensor,
          .context_kind = exchanges_heads(strategy) ? scenario::ContextKind::kAllToAll : scenario::ContextKind::kRing};
}

workload::Sharding sharding_of(const Shape& shape) {
  return {.tensor = shape.tensor,
          .context = shape.context,
          .expert = shape.expert,
          .expert_tensor = shape.expert_tensor,
          .sequence_parallel = shape.sequence_parallel,
          .exchanges_heads = shape.context_kind == scenario::ContextKind::kAllToAll};
}

workload::Fusion fusion_of(const catalog::Software& software) {
  return {.flash_attention = software.attention != catalog::AttentionKernel::kUnfused,
          .softmax = software.facts.contains("fused_softmax"),
          .norms = software.fused_norms,
          .activation = software.fused_activation,
          .rotary = software.fused_rotary,
          .dropout_residual = software.fused_dropout_residual,
          .cross_entropy = software.fused_cross_entropy,
          .compiled = software.compiled};
}

namespace {

/// Layers of each chunk, first chunk first: `front` of the chunks with one layer less stand at the front, the others at
/// the end.
std::vector<int> even_chunks(int layers, int chunks, bool more_at_front) {
  const int most = (layers + chunks - 1) / chunks;
  const int less = chunks * most - layers;
  const int front = (less + (more_at_front ? 1 : 0)) / 2;
  std::vector<int> sizes(static_cast<std::size_t>(chunks), most);
  for (int i = 0; i < less; ++i) --sizes[static_cast<std::size_t>(i < front ? i : chunks - 1 - (i - front))];
  return sizes;
}

/// Chunks at both ends take one layer less before any chunk in the middle does. Prediction blocks and each run of the
/// head, theirs and the model's own, count as layers of the last chunk, and the first, which has the embedding, gives
/// way first. Source: the layouts of Megatron-Bridge's DeepSeek-V3 recipes (release 0.4): 16 chunks of 61 layers are 15
/// of 4, and 1 with block, heads and loss.
std::vector<int> chunk_sizes(const workload::Architecture& model, int chunks) {
  const int layers = static_cast<int>(model.layers.size());
  if (model.mtp_layers == 0 || chunks == 1) return even_chunks(layers, chunks, false);
  const int behind = 1 + 2 * model.mtp_layers;
  const int last = std::clamp((layers + behind + chunks - 1) / chunks - behind, 0, layers);
  auto sizes = even_chunks(layers - last, chunks - 1, true);
  sizes.push_back(last);
  return sizes;
}

/// The model's stages, embedding and head on the first and the last.
std::vector<StageLayers> cut(const workload::Architecture& model, int chunks) {
  std::vector<StageLayers> all(static_cast<std::size_t>(chunks));
  const int layers = static_cast<int>(model.layers.size());
  const auto sizes = chunk_sizes(model, chunks);
  int next = 0;
  for (std::size_t chunk = 0; chunk < all.size(); ++chunk) {
    auto& counts = all[chunk].count_by_kind;
    counts.assign(model.kinds.size(), 0);
    for (int i = 0; i < sizes[chunk] && next < layers; ++i, ++next)
      add_layer(counts, model.layers[static_cast<std::size_t>(next)]);
  }
  all.front().embedding = true;
  auto& end = all.back();
  end.head = true;
  end.prediction_heads = model.mtp_layers;
  for (int i = 0; i < model.mtp_layers && layers > 0; ++i) add_layer(end.count_by_kind, model.layers.back());
  return all;
}

void merge(StageLayers& stage, const StageLayers& chunk) {
  stage.count_by_kind.resize(chunk.count_by_kind.size());
  for (std::size_t kind = 0; kind < chunk.count_by_kind.size(); ++kind)
    stage.count_by_kind[kind] += chunk.count_by_kind[kind];
  stage.embedding = stage.embedding || chunk.embedding;
  stage.head = stage.head || chunk.head;
  stage.prediction_heads += chunk.prediction_heads;
}

/// The place of a content among the first of each kind, with a new place for a new one.
std::size_t kind_of(const StageLayers& content, const std::vector<StageLayers>& all, std::vector<int>& firsts, int at) {
  const auto same = std::find_if(firsts.begin(), firsts.end(),
                                 [&](int other) { return all[static_cast<std::size_t>(other)] == content; });
  if (same != firsts.end()) return static_cast<std::size_t>(same - firsts.begin());
  firsts.push_back(at);
  return firsts.size() - 1;
}

void find_distinct(Layout& layout) {
  std::vector<int> passed;  // stages before the rank at hand, by entry
  for (int rank = 0; rank < layout.pipeline; ++rank) {
    const auto i = kind_of(layout.stages[static_cast<std::size_t>(rank)], layout.stages, layout.distinct, rank);
    layout.repeats.resize(layout.distinct.size());
    layout.last.resize(layout.distinct.size());
    layout.before.resize(layout.distinct.size());
    ++layout.repeats[i];
    layout.last[i] = rank;
    layout.before[i] = passed;
    const auto entry = kind_of(layout.chunks[static_cast<std::size_t>(rank)], layout.chunks, layout.entries, rank);
    passed.resize(layout.entries.size());
    ++passed[entry];
  }
}

}  // namespace

Layout divide_layers(const workload::Architecture& model, int pipeline, int virtual_pipeline,
                     scenario::Schedule schedule) {
  Layout layout;
  layout.pipeline = pipeline;
  layout.virtual_pipeline = virtual_pipeline;
  layout.copies = schedule == scenario::Schedule::kDualPipe ? 2 : 1;
  layout.chunks = cut(model, pipeline * virtual_pipeline);
  layout.stages.resize(static_cast<std::size_t>(pipeline));
  for (int rank = 0; rank < pipeline; ++rank)
    for (int chunk = 0; chunk < virtual_pipeline * layout.copies; ++chunk)
      merge(layout.stages[static_cast<std::size_t>(rank)],
            layout.chunks[static_cast<std::size_t>(stage_of(schedule, pipeline, rank, chunk))]);
  find_distinct(layout);
  return layout;
}

}  // namespace headrace::training
