// SPDX-License-Identifier: Apache-2.0
#include "training/data_parallel.h"

#include <algorithm>

namespace headrace::training {

namespace {

using scenario::DataParallel;
using scenario::Strategy;
using workload::Collective;

/// Ranks that hold copies of the same parameters: `shard` of them divide states, and `replicas` such groups exist.
struct Copies {
  cost::Group shard, replicas;
};

Copies dense_copies(const Strategy& strategy, const cost::Fabric& fabric) {
  const int ranks = strategy.data * strategy.context;
  const int shard = strategy.shard_group > 0 ? std::min(strategy.shard_group, ranks) : ranks;
  return {cost::make_group(shard, strategy.tensor, fabric),
          cost::make_group(ranks / shard, std::int64_t{strategy.tensor} * shard, fabric)};
}

Copies expert_copies(const Strategy& strategy, const cost::Fabric& fabric) {
  const std::int64_t spread = std::int64_t{strategy.expert} * strategy.expert_tensor;
  const std::int64_t ranks =
      std::max<std::int64_t>(1, std::int64_t{strategy.data} * strategy.context * strategy.tensor / spread);
  return {cost::make_group(static_cast<int>(ranks), spread, fabric), {}};
}

/// Parameters of one kind on a rank, moved layer by layer.
struct Load {
  double parameters = 0;
  double layers = 1;
  Copies copies;
};

double moved(Collective collective, double bytes_per_parameter, const Load& load, const cost::Group& group,
             const cost::Fabric& fabric) {
  if (load.parameters <= 0) return 0;
  const base::Bytes piece(load.parameters * bytes_per_parameter / load.layers);
  return load.layers * cost::collective_time(collective, piece, group, fabric).value();
}

/// Gathering parameters once, and reducing gradients once, over dense and expert parameters together.
DataParallelLoad movement(const StageTime& stage, const Job& job, const Machine& machine, const Strategy& strategy) {
  const auto& fabric = machine.fabric;
  const double layers = std::max(1.0, stage.layers);
  const Load loads[] = {{stage.dense_parameters, layers, dense_copies(strategy, fabric)},
                        {stage.expert_parameters, layers, expert_copies(strategy, fabric)}};
  const double weight = base::bytes_of(job.numerics.weights), gradient = base::bytes_of(job.numerics.gradients);
  const bool sharded = strategy.data_parallel != DataParallel::kDdp;
  const bool scatters =
      sharded && !(machine.constants.zero1_reduces_whole && strategy.data_parallel == DataParallel::kZero1);
  DataParallelLoad all;
  for (const auto& load : loads) {
    const auto& shard = load.copies.shard;
    if (sharded) all.gather += moved(Collective::kAllGather, weight, load, shard, fabric);
    all.reduce += moved(scatters ? Collective::kReduceScatter : Collective::kAllReduce, gradient, load, shard, fabric);
    if (sharded)
      all.reduce +=
          moved(Collective::kAllReduce, gradient / std::max(1, shard.ranks), load, load.copies.replicas, fabric);
  }
  return all;
}

/// Bytes that one parameter's update reads and writes: gradient (zeroed, read for the norm, read and written by
/// clipping, read), master copy and two moments read and written, the working copy written.
double update_bytes(const scenario::Numerics& numerics) {
  const double gradient = base::bytes_of(numerics.gradients), moment = base::bytes_of(numerics.moments);
  const double master = numerics.master_weights ? 4 : base::bytes_of(numerics.weights);
  return 5 * gradient + 2 * (master + 2 * moment) + base::bytes_of(numerics.weights);
}

double optimizer_time(const StageTime& stage, const Job& job, const Machine& machine, const Strategy& strategy) {
  const bool sharded = strategy.data_parallel != DataParallel::kDdp;
  const double dense = stage.dense_parameters / (sharded ? dense_copies(strategy, machine.fabric).shard.ranks : 1);
  const double expert = stage.expert_parameters / (sharded ? expert_copies(strategy, machine.fabric).shard.ranks : 1);
  double rate = machine.device.memory_bandwidth * machine.constants.optimizer_efficiency;
  if (strategy.offload_optimizer) rate = std::min(rate, machine.constants.offload_bandwidth);
  return (dense + expert) * update_bytes(job.numerics) / rate;
}

/// Only adapters are moved and updated when the weights are frozen.
StageTime trained_only(StageTime stage, const Job& job, double model_parameters, int pipeline) {
  if (job.adaptation.kind == scenario::FineTuning::kFull || model_parameters <= 0) return stage;
  const double share = job.adaptation.trainable_parameters / (model_parameters * pipeline);
  stage.dense_parameters *= share;
  stage.expert_parameters *= share;
  return stage;
}

}  // namespace

DataParallelLoad data_parallel_load(const StageTime& whole, int stages, const LayerTimes& layers, const Job& job,
                                    const Machine& machine, const Strategy& strategy) {
  const auto stage = strategy.data_parallel == DataParallel::kZero3
                         ? whole
                         : trained_only(whole, job, whole.dense_parameters + whole.expert_parameters, stages);
  DataParallelLoad load = movement(stage, job, machine, strategy);
  load.accumulate = (stage.dense_parameters + stage.expert_parameters) * layers.accumulate;
  load.optimizer = optimizer_time(stage, job, machine, strategy);
  return load;
}

Traffic traffic_of(const Machine& machine, const Strategy& strategy) {
  const bool keeps_whole = machine.constants.pipeline_keeps_whole && strategy.pipeline > 1;
  if (strategy.data_parallel == DataParallel::kZero3 && !keeps_whole) return Traffic::kEachGatherToo;
  return strategy.data_parallel == DataParallel::kZero2 ? Traffic::kEachReduce : Traffic::kOnce;
}

double norm_time(const Machine& machine) {
  const auto all = cost::make_group(machine.accelerators, 1, machine.fabric);
  return cost::collective_time(Collective::kAllReduce, base::Bytes(4), all, machine.fabric).value();
}

bool reduces_over_network(const Machine& machine, const Strategy& strategy) {
  return std::int64_t{strategy.tensor} * strategy.context * strategy.data > machine.fabric.domain;
}

}  // namespace headrace::training
