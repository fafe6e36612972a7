// SPDX-License-Identifier: Apache-2.0
#include "training/step_costs.h"

#include <algorithm>
#include <cmath>

namespace headrace::training {

namespace {

using scenario::Schedule;
using scenario::Strategy;
using timeline::Resource;

double& share(timeline::Demand& demand, Resource resource) { return demand.share[std::size_t(resource)]; }

/// A pass keeps the device's units busy throughout, and each link for the share of the time that its transfers take.
timeline::Demand demand_of(const LayerTimes::Part& sum, double seconds) {
  timeline::Demand demand;
  share(demand, Resource::kCompute) = 1;
  if (seconds <= 0) return demand;
  share(demand, Resource::kScaleUp) = std::min(1.0, sum.scaleup_busy / seconds);
  share(demand, Resource::kNetwork) = std::min(1.0, sum.network_busy / seconds);
  return demand;
}

timeline::Demand transfer(bool network, double compute) {
  timeline::Demand demand;
  share(demand, Resource::kCompute) = compute;
  share(demand, network ? Resource::kNetwork : Resource::kScaleUp) = 1;
  return demand;
}

StageCost stage_cost(const LayerTimes& layers, const StageLayers& content, int stages, const Job& job,
                     const Machine& machine, const Strategy& strategy) {
  StageCost cost;
  cost.work = stage_time(layers, content, of_one_chunk(strategy));
  cost.load = data_parallel_load(cost.work, stages, layers, job, machine, strategy);
  cost.forward = cost.work.forward.total() + machine.constants.host_pass;
  // Gradients that go to their owner at once are not added up here.
  const double accumulate = traffic_of(machine, strategy) == Traffic::kEachGatherToo ? 0 : cost.load.accumulate;
  cost.backward = cost.work.backward.total() + cost.work.recompute + accumulate;
  cost.weight = cost.work.backward.weight_time + accumulate;
  cost.exchange = cost.work.forward.expert_comm + cost.work.backward.expert_comm;
  cost.pieces = std::max(1, int(cost.work.layers));
  return cost;
}

void set_demands(StepCosts& costs, const Machine& machine, const Strategy& strategy, bool sends_over_network) {
  LayerTimes::Part forward, backward;
  double forward_time = 0, backward_time = 0;
  for (const auto& stage : costs.stages) {
    forward.scaleup_busy += stage.work.forward.scaleup_busy;
    forward.network_busy += stage.work.forward.network_busy;
    backward.scaleup_busy += stage.work.backward.scaleup_busy;
    backward.network_busy += stage.work.backward.network_busy;
    forward_time += stage.forward;
    backward_time += stage.backward;
  }
  costs.forward = demand_of(forward, forward_time);
  costs.backward = demand_of(backward, backward_time);
  costs.weight = demand_of({}, 0);
  costs.send_demand = transfer(sends_over_network, 0);
  costs.data_demand = transfer(reduces_over_network(machine, strategy), costs.slowdown);
}

cost::Group neighbours(const Machine& machine, const Strategy& strategy) {
  const std::int64_t stride = std::int64_t{strategy.tensor} * strategy.context * strategy.data;
  return cost::make_group(2, stride, machine.fabric);
}

}  // namespace

Strategy of_one_chunk(Strategy strategy) {
  strategy.virtual_pipeline = 1;
  strategy.schedule = Schedule::k1f1b;
  return strategy;
}

/// 1F1B and GPipe stop for their transfers, as Megatron-Core's schedule without model chunks and DeepSpeed's do;
/// interleaved ones only while the pipeline fills and drains; later schedules send beside the work. Source:
/// Megatron-Core pipeline_parallel/schedules.py, torch.distributed.pipelining (facts).
Sending sending_of(const Strategy& strategy) {
  if (strategy.schedule == Schedule::kGpipe) return Sending::kMeeting;
  if (strategy.virtual_pipeline > 1 && strategy.schedule != Schedule::kZbv) return Sending::kWarmUp;
  return strategy.schedule == Schedule::k1f1b ? Sending::kMeeting : Sending::kBeside;
}

double send_time(const LayerTimes& layers, const Machine& machine, const Strategy& strategy) {
  if (strategy.pipeline == 1) return 0;
  return cost::collective_time(workload::Collective::kSendReceive, base::Bytes(layers.boundary_bytes),
                               neighbours(machine, strategy), machine.fabric)
      .value();
}

StepCosts step_costs(const LayerTimes& layers, const Layout& layout, const Job& job, const Machine& machine,
                     const Strategy& strategy) {
  StepCosts costs;
  const int stages = int(layout.chunks.size());
  costs.stages.reserve(layout.chunks.size());
  for (const auto& content : layout.chunks)
    costs.stages.push_back(stage_cost(layers, content, stages, job, machine, strategy));
  costs.traffic = traffic_of(machine, strategy);
  const bool each = costs.traffic == Traffic::kEachGatherToo;
  costs.overlaps_reduce = each || strategy.overlap_gradient_reduce;
  costs.overlaps_gather = each || strategy.overlap_parameter_gather;
  costs.offloads_optimizer = strategy.offload_optimizer;
  costs.host_step = machine.constants.host_step;
  costs.slowdown = machine.constants.overlap_slowdown;
  costs.sending = sending_of(strategy);
  const auto pair = neighbours(machine, strategy);
  costs.send = send_time(layers, machine, strategy);
  costs.norm = norm_time(machine);
  set_demands(costs, machine, strategy, pair.per_domain < pair.ranks);
  return costs;
}

}  // namespace headrace::training
