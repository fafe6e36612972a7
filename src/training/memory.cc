// SPDX-License-Identifier: Apache-2.0
#include "training/memory.h"

#include <algorithm>

#include "training/rank_memory.h"

namespace headrace::training {
namespace {

using scenario::DataParallel;
using scenario::Recompute;
using scenario::Strategy;

/// Parameters that one pipeline rank holds, and what its layers keep for one micro-batch.
struct Stage {
  double dense = 0, expert = 0, adapter = 0;
  double ends = 0;     ///< embedding and head parameters
  double saved = 0;    ///< bytes for one micro-batch through all layers of the rank
  double working = 0;  ///< of the layer that needs most, what it recomputes included
  double exchange = 0;
  double layer = 0;   ///< parameters of the largest layer
  double matrix = 0;  ///< parameters of the largest matrix
  double head = 0;    ///< bytes that final norm and head keep
  double logits = 0;
  double stand_ins = 0;  ///< bytes of stand-ins for fused gradients
};

/// Over how many ranks states are sharded.
struct Shards {
  double weights = 1, gradients = 1, optimizer = 1;
};

Shards shards_of(const Strategy& strategy, double ranks) {
  if (strategy.shard_group > 0) ranks = std::min(ranks, double(strategy.shard_group));
  Shards shards;
  switch (strategy.data_parallel) {
    case DataParallel::kZero3: shards.weights = ranks; [[fallthrough]];
    case DataParallel::kZero2: shards.gradients = ranks; [[fallthrough]];
    case DataParallel::kZero1: shards.optimizer = ranks; [[fallthrough]];
    case DataParallel::kDdp: break;
  }
  return shards;
}

/// Share of a rank's layers that recompute all of themselves.
double recomputed_share(const Strategy& strategy, double layers) {
  if (strategy.recompute != Recompute::kFull) return 0;
  if (strategy.recompute_layers < 0) return 1;
  return layers > 0 ? std::min(1.0, double(strategy.recompute_layers) * scenario::chunks_per_rank(strategy) / layers)
                    : 0;
}

void add_kind(Stage& stage, const LayerMemory::Kind& kind, int count, const Strategy& strategy, double share) {
  const double once = strategy.recompute == Recompute::kSelective ? kind.saved_selective : kind.saved_none;
  const double input = strategy.offload_activations ? 0 : kind.saved_full;
  const double kept = share * input + (1 - share) * once;
  const double again = share > 0 ? kind.saved_none - kind.saved_full : kind.saved_none - once;
  stage.dense += count * kind.dense_parameters;
  stage.expert += count * kind.expert_parameters;
  stage.adapter += count * kind.adapter_parameters;
  stage.saved += count * kept;
  stage.working = std::max(stage.working, kind.working + again);
  stage.exchange = std::max(stage.exchange, kind.exchange);
  stage.layer = std::max(stage.layer, kind.dense_parameters + kind.expert_parameters);
  stage.matrix = std::max(stage.matrix, kind.largest_matrix);
}

Stage stage_of(const LayerMemory& layers, const StageLayers& held, const Strategy& strategy) {
  Stage stage;
  stage.stand_ins = layers.layer_stand_ins;
  int total = 0;
  for (const int count : held.count_by_kind) total += count;
  const double share = recomputed_share(strategy, total);
  for (std::size_t k = 0; k < layers.kinds.size(); ++k)
    if (held.count_by_kind[k] > 0) add_kind(stage, layers.kinds[k], held.count_by_kind[k], strategy, share);
  if (held.embedding) {
    stage.ends += layers.embedding_parameters;
    stage.saved += layers.embedding_saved;
  }
  if (held.head) {
    if (!(layers.tied && held.embedding)) stage.ends += layers.head_parameters;
    stage.head = layers.head_saved;
    stage.logits = layers.head_working * (1 + held.prediction_heads);
    stage.stand_ins += layers.head_stand_in;
  }
  return stage;
}

double micro_batches(const Strategy& strategy) {
  return std::max(1.0, double(strategy.global_batch) / (double(strategy.micro_batch) * strategy.data));
}

/// Bytes per parameter of weights, gradients and optimizer state in a run's formats.
struct StateBytes {
  double weights, gradients, optimizer;
};

double moment_bytes(const scenario::Numerics& numerics) {
  const double moment = base::bytes_of(numerics.moments);
  switch (numerics.optimizer) {
    case scenario::Optimizer::kAdamW: return 2 * moment;
    case scenario::Optimizer::kAdam8bit: return 2 * (1 + 4.0 / 256);  // an fp32 scale for each block of 256
    case scenario::Optimizer::kSgd:
    case scenario::Optimizer::kMuon: return moment;
    case scenario::Optimizer::kAdafactor: return 0;  // a row and a column for each matrix
  }
  return 2 * moment;
}

StateBytes state_bytes(const scenario::Numerics& numerics) {
  return {base::bytes_of(numerics.weights), base::bytes_of(numerics.gradients),
          moment_bytes(numerics) + (numerics.master_weights ? 4 : 0)};
}

/// Dense and expert parameters of one rank with the ranks that their states are sharded over.
struct Held {
  double dense, expert;
  Shards dense_shards, expert_shards;

  [[nodiscard]] double whole() const { return dense + expert; }
  [[nodiscard]] double weights() const { return dense / dense_shards.weights + expert / expert_shards.weights; }
  [[nodiscard]] double gradients() const { return dense / dense_shards.gradients + expert / expert_shards.gradients; }
  [[nodiscard]] double optimizer() const { return dense / dense_shards.optimizer + expert / expert_shards.optimizer; }
};

Held held(const Strategy& strategy, double dense, double expert) {
  const double ranks = double(strategy.data) * strategy.context;
  const double expert_ranks =
      std::max(1.0, ranks * strategy.tensor / (double(strategy.expert) * strategy.expert_tensor));
  return {dense, expert, shards_of(strategy, ranks), shards_of(strategy, expert_ranks)};
}

/// Plain data parallel's second copy of the gradients, and the fixed buckets of sharded states.
double fixed_buffers(const LayerMemory& layers, const Strategy& strategy, const Held& trained, double gradient) {
  if (strategy.data * strategy.context <= 1 && strategy.data_parallel == DataParallel::kDdp) return 0;
  if (strategy.data_parallel == DataParallel::kDdp) return layers.habits.gradient_copy ? trained.whole() * gradient : 0;
  return std::min(layers.habits.bucket_bytes, 2 * gradient * trained.whole());
}

RankStates full_states(const LayerMemory& layers, const Stage& stage, const Job& job, const Strategy& strategy) {
  const StateBytes bytes = state_bytes(job.numerics);
  const Held all = held(strategy, stage.dense + stage.ends, stage.expert);
  RankStates states;
  states.weights = bytes.weights * all.weights() + layers.habits.fp8_weight_bytes * (stage.dense + stage.expert);
  states.gradients = bytes.gradients * all.gradients();
  states.optimizer = bytes.optimizer * all.optimizer();
  states.buffers = fixed_buffers(layers, strategy, all, bytes.gradients);
  states.step_temporary = layers.habits.step_temporary * all.optimizer();
  if (strategy.offload_optimizer) states.optimizer = states.step_temporary = 0;
  if (job.numerics.optimizer_in_backward) {
    states.gradients = bytes.gradients * stage.layer;
    states.step_temporary = 0;
  }
  if (strategy.offload_parameters) states.weights = states.gradients = 0;
  return states;
}

/// Adapters are trained in fp32, in ZeRO's mixed formats, or in the frozen weights' own 16 bit.
StateBytes adapter_bytes(const LayerMemory& layers, const Job& job, const Strategy& strategy) {
  const double element = layers.habits.retention.element;
  if (layers.habits.adapters_in_fp32) return {4, 4, 8};
  if (strategy.data_parallel == DataParallel::kDdp) return {element, element, 2 * element};
  return state_bytes(job.numerics);
}

/// Adapters: frozen weights in their own format, states only of what is trained. Quantised checkpoints keep embedding
/// and head in 16 bit; trained embeddings are a copy beside the frozen ones, in their format.
RankStates adapter_states(const LayerMemory& layers, const Stage& stage, const Job& job, const Strategy& strategy) {
  const StateBytes bytes = adapter_bytes(layers, job, strategy);
  const double element = layers.habits.retention.element;
  const double share = job.adaptation.trainable_parameters > 0
                           ? job.adaptation.trainable_parameters / std::max(1, strategy.pipeline) / strategy.tensor
                           : stage.adapter;
  const Held frozen = held(strategy, stage.dense, stage.expert);
  const Held ends = held(strategy, stage.ends, 0);
  const Held trained = held(strategy, share, 0);
  const Held copied = held(strategy, job.adaptation.trains_embeddings ? stage.ends : 0, 0);
  RankStates states;
  states.weights = job.adaptation.frozen_bits / 8 * frozen.weights() + element * (ends.weights() + copied.weights()) +
                   bytes.weights * trained.weights();
  states.gradients = bytes.gradients * trained.gradients() + element * copied.gradients();
  states.optimizer =
      strategy.offload_optimizer ? 0 : bytes.optimizer * trained.optimizer() + 2 * element * copied.optimizer();
  states.buffers = fixed_buffers(layers, strategy, trained, bytes.gradients);
  states.step_temporary = bytes.optimizer / 2 * trained.optimizer() + element * copied.optimizer();
  return states;
}

/// Parameters made whole for a while: layers in flight under ZeRO-3 with one layer's gradients, and dequantised
/// matrices.
double gathered(const LayerMemory& layers, const Stage& stage, const Job& job, const Strategy& strategy) {
  const MemoryHabits& habits = layers.habits;
  const double element = habits.retention.element;
  const bool full = job.adaptation.kind == scenario::FineTuning::kFull;
  double bytes = job.adaptation.kind == scenario::FineTuning::kQlora ? element * stage.matrix : 0;
  // Automatic mixed precision casts fp32 weights once and keeps the casts through the step.
  if (full && strategy.data_parallel != DataParallel::kZero3 && base::bytes_of(job.numerics.weights) > element)
    return element * (stage.dense + stage.expert);
  if (strategy.data_parallel != DataParallel::kZero3 || strategy.data * strategy.context <= 1) return bytes;
  const double whole = stage.dense + stage.expert + stage.ends;
  const double gradient = full ? base::bytes_of(job.numerics.gradients) : 0;
  if (habits.keeps_whole || (habits.pipeline_keeps_whole && strategy.pipeline > 1)) return (element + gradient) * whole;
  const double live = habits.gathered_layers * stage.layer + (habits.gathers_root ? stage.ends : 0);
  return bytes + element * std::min(live, whole) + (gradient + element) * (full ? stage.layer : 0);
}

/// Context and communicators outside the allocator.
double outside(const LayerMemory& layers, const Strategy& strategy) {
  const int groups = (strategy.tensor > 1) + (strategy.pipeline > 1) + (strategy.context > 1) + (strategy.expert > 1) +
                     (strategy.data > 1);
  return layers.constants.context + layers.constants.communicator * groups;
}

/// The fullest of three moments: the loss (all activations, logits), the backward pass of the last layer (all
/// activations, that layer's temporaries), the optimizer step (no activations, all gradients).
Memory rank_memory(const LayerMemory& layers, const RankActivity& activity, const RankStates& states, int rank,
                   const Strategy& strategy, MemoryQuantity quantity) {
  const double layer = activity.working + activity.exchange;
  Memory memory;
  memory.stage = rank;
  memory.weights = states.weights;
  memory.optimizer = states.optimizer;
  memory.gradients = states.gradients;
  memory.communication = states.buffers;
  if (activity.most() + states.early_gradients + states.gathered >= states.gradients + states.step_temporary) {
    memory.gradients = states.early_gradients;
    memory.activations = activity.saved + (layer > activity.logits ? activity.working : 0);
    memory.logits = layer > activity.logits ? 0 : activity.logits;
    memory.communication += states.gathered + (layer > activity.logits ? activity.exchange : 0);
  } else {
    memory.optimizer += states.step_temporary;
  }
  memory.gradients += states.stand_ins;
  memory.other = layers.constants.workspace;
  if (quantity != MemoryQuantity::kAllocated) memory.other += layers.constants.fragmentation * memory.total();
  if (quantity == MemoryQuantity::kDevice) memory.other += outside(layers, strategy);
  return memory;
}

}  // namespace

/// How many micro-batches' activations of all its layers pipeline rank `rank` holds at its fullest: the most that
/// program_of lets it hold between a forward and the last of its backward, in chunks over the chunks of a rank. What
/// only gradients of weights wait for counts in full. 1F1B: as many as there are ranks from it to the last.
/// Interleaved: its warm-up chunks and one (Narayanan et al., SC'21, section 2.2). Zero-bubble: arXiv 2401.10241,
/// table 2. ZB-V: arXiv 2405.15362. DualPipe: p + 1 chunks of its two stages (arXiv 2412.19437, table 2).
double in_flight(const Strategy& strategy, int rank) {
  const double all = micro_batches(strategy), p = strategy.pipeline, behind = p - rank, v = strategy.virtual_pipeline;
  switch (strategy.schedule) {
    case scenario::Schedule::kGpipe: return all;
    case scenario::Schedule::kZeroBubbleH1:
    case scenario::Schedule::kZbv: return std::min(all, p);
    case scenario::Schedule::kZeroBubbleH2: return std::min(all, 2 * p - 1);
    case scenario::Schedule::kDualPipe: return std::min(all, p + 1) / 2;
    case scenario::Schedule::k1f1b:
    case scenario::Schedule::kInterleaved: break;
  }
  if (v <= 1) return std::min(all, behind);
  return std::min(all, (2 * (behind - 1) + (v - 1) * p + 1) / v);
}

RankActivity rank_activity(const LayerMemory& layers, const StageLayers& content, int rank, const Strategy& strategy) {
  const Stage stage = stage_of(layers, content, strategy);
  return {in_flight(strategy, rank) * stage.saved + stage.head, stage.working, stage.exchange, stage.logits};
}

RankStates rank_states(const LayerMemory& layers, const StageLayers& content, const Job& job,
                       const Strategy& strategy) {
  const Stage stage = stage_of(layers, content, strategy);
  RankStates states = job.adaptation.kind == scenario::FineTuning::kFull ? full_states(layers, stage, job, strategy)
                                                                         : adapter_states(layers, stage, job, strategy);
  states.early_gradients = layers.habits.gradients_persist || micro_batches(strategy) > 1 ? states.gradients : 0;
  states.gathered = gathered(layers, stage, job, strategy);
  states.stand_ins = stage.stand_ins;
  return states;
}

DeviceBytes device_bytes(const LayerMemory& layers, const Strategy& strategy) {
  const double times = 1 + layers.constants.fragmentation;
  return {times, times * layers.constants.workspace + outside(layers, strategy)};
}

Memory peak_memory(const LayerMemory& layers, const Layout& layout, const Job& job, const Machine&,
                   const Strategy& strategy, MemoryQuantity quantity) {
  Memory peak;
  for (const int rank : layout.distinct) {
    // Of ranks with the same layers the first holds most micro-batches.
    const auto& content = layout.stages[std::size_t(rank)];
    const Memory memory = rank_memory(layers, rank_activity(layers, content, rank, strategy),
                                      rank_states(layers, content, job, strategy), rank, strategy, quantity);
    if (memory.total() > peak.total()) peak = memory;
  }
  return peak;
}

std::vector<Memory> stage_memory(const LayerMemory& layers, const Layout& layout, const Job& job, const Machine&,
                                 const Strategy& strategy, MemoryQuantity quantity) {
  std::vector<Memory> stages;
  for (int rank = 0; rank < int(layout.stages.size()); ++rank) {
    const auto& content = layout.stages[std::size_t(rank)];
    stages.push_back(rank_memory(layers, rank_activity(layers, content, rank, strategy),
                                 rank_states(layers, content, job, strategy), rank, strategy, quantity));
  }
  return stages;
}

}  // namespace headrace::training
