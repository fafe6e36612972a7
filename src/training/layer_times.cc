// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <iterator>

#include "cost/kernels.h"
#include "training/layer_works.h"
#include "training/step.h"

namespace headrace::training {

namespace {

using workload::Axis;
using workload::Pass;
using Part = LayerTimes::Part;

/// Where the ranks of each axis sit when tensor ranks are neighbours, then context, expert and data ranks, and pipeline
/// ranks are farthest apart.
struct Groups {
  cost::Group tensor, context, expert, expert_tensor;
};

Groups groups_of(const Shape& shape, const cost::Fabric& fabric) {
  return {cost::make_group(shape.tensor, 1, fabric), cost::make_group(shape.context, shape.tensor, fabric),
          cost::make_group(shape.expert, shape.expert_tensor, fabric),
          cost::make_group(shape.expert_tensor, 1, fabric)};
}

struct Setting {
  const Job& job;
  const Machine& machine;
  const Shape& shape;
  Groups groups;
  double copies = 1;   ///< experts per token of the layer at hand
  double experts = 1;  ///< of that layer
};

bool has_frozen_weights(const Job& job) { return job.adaptation.kind != scenario::FineTuning::kFull; }

/// Half of a matrix product's backward FLOPs are its weight gradient, which frozen weights do not need.
workload::Operator without_weight_gradient(workload::Operator op) {
  op.flops /= 2;
  op.bytes /= 2;
  return op;
}

bool multiplies_weights(const workload::Operator& op) {
  const bool product = op.kind == workload::OpKind::kGemm || op.kind == workload::OpKind::kGroupedGemm;
  return product && op.name != workload::OpName::kAttention;
}

/// Kernels the host issues for one operator: the products of a rank's experts go one by one.
double launches_of(const workload::Operator& op) {
  return op.launches * (op.kind == workload::OpKind::kGroupedGemm && multiplies_weights(op) ? op.groups : 1);
}

void add_kernels(Part& part, const std::vector<workload::Operator>& operators, const Setting& setting, Pass pass) {
  for (const auto& whole : operators) {
    const bool half = pass == Pass::kBackward && has_frozen_weights(setting.job) && multiplies_weights(whole);
    const auto cost = cost::kernel_time(half ? without_weight_gradient(whole) : whole, setting.machine.device, pass);
    // Half of a product's backward is the gradient of its weights.
    if (pass == Pass::kBackward && !half && multiplies_weights(whole)) part.weight_time += cost.time.value() / 2;
    if (cost.bound == cost::Bound::kCompute)
      part.tensor_time += cost.time.value();
    else if (cost.bound == cost::Bound::kMemory)
      part.memory_time += cost.time.value();
    else
      part.launch_time += cost.time.value();
  }
}

/// The host issues kernels and transfers while the device works: it binds only where all of them together take less
/// time than issuing them.
void add_host(Part& part, const workload::Work& work, const Setting& setting) {
  double launches = static_cast<double>(work.transfers.size());
  for (const auto& op : work.operators) launches += launches_of(op);
  part.launch_time += std::max(0.0, launches * setting.machine.device.host_launch - part.total());
}

/// Of `places` equal ones that share the experts evenly, how many a token's `copies` go to: random experts meet
/// places·(1 − (1 − 1/places)^copies), neighbouring ones (benchmarks without a real router) fill place after place.
double places_met(double places, const Setting& setting) {
  if (setting.machine.software.facts.contains("routes_to_neighbours"))
    return std::clamp(setting.copies * places / setting.experts, 1.0, places);
  return places * (1 - std::pow(1 - 1 / places, setting.copies));
}

/// A token goes once to each domain it has experts in and from there once to each rank, both legs at the same time;
/// plain expert parallel sends a copy for each expert. Source: DeepEP's README (facts).
double time_by_domain(const workload::Transfer& transfer, const Setting& setting) {
  const auto& group = setting.groups.expert;
  const auto time = [&](double met, const cost::Group& over) {
    const base::Bytes bytes(transfer.bytes * std::min(1.0, met / setting.copies));
    return cost::collective_time(transfer.collective, bytes, over, setting.machine.fabric).value();
  };
  const double inside = time(places_met(group.ranks, setting), {group.per_domain, group.per_domain});
  if (group.per_domain == group.ranks) return inside;
  return std::max(inside, time(places_met(static_cast<double>(group.ranks) / group.per_domain, setting), group));
}

double expert_time(const workload::Transfer& transfer, const Setting& setting) {
  const auto& machine = setting.machine;
  const double time = machine.software.facts.contains("expert_dispatch_by_domain")
                          ? time_by_domain(transfer, setting)
                          : cost::collective_time(transfer.collective, base::Bytes(transfer.bytes),
                                                  setting.groups.expert, machine.fabric)
                                .value();
  return machine.software.facts.contains("overlaps_expert_parallel") ? time * machine.constants.expert_exposed : time;
}

const cost::Group& group_of(Axis axis, const Groups& groups) {
  switch (axis) {
    case Axis::kTensor: return groups.tensor;
    case Axis::kContext: return groups.context;
    case Axis::kExpert: return groups.expert;
    default: return groups.expert_tensor;
  }
}

double transfer_time(const workload::Transfer& transfer, const Setting& setting) {
  const auto& group = group_of(transfer.axis, setting.groups);
  return cost::collective_time(transfer.collective, base::Bytes(transfer.bytes), group, setting.machine.fabric).value();
}

/// Blocks of keys and values travel round a ring beside the attention of the blocks before them; attention waits for
/// all-to-alls before it, and what follows for that behind it.
double exposed_context(double time, double attention, const Setting& setting) {
  if (setting.shape.context_kind == scenario::ContextKind::kAllToAll) return time;
  const double hidden = std::min(time, attention * (setting.shape.context - 1) / setting.shape.context);
  return time - hidden + setting.machine.constants.overlap_slowdown * hidden;
}

/// What shows of tensor-parallel communication: all of it, what the software's own overlap leaves, or, of transfers
/// beside a product, what the product feels.
double exposed_tensor(double time, const workload::Transfer& transfer, const Setting& setting) {
  const auto& constants = setting.machine.constants;
  if (setting.shape.overlap_tensor) return time * constants.tensor_exposed;
  const bool hides = transfer.beside_product && setting.machine.software.facts.contains("hides_tensor_backward");
  return hides ? time * constants.overlap_slowdown : time;
}

void add_transfers(Part& part, const std::vector<workload::Transfer>& transfers, double attention,
                   const Setting& setting) {
  for (const auto& transfer : transfers) {
    const double time =
        transfer.axis == Axis::kExpert ? expert_time(transfer, setting) : transfer_time(transfer, setting);
    const auto& group = group_of(transfer.axis, setting.groups);
    (group.per_domain < group.ranks ? part.network_busy : part.scaleup_busy) += time;
    if (transfer.axis == Axis::kTensor)
      part.tensor_comm += exposed_tensor(time, transfer, setting);
    else if (transfer.axis == Axis::kContext)
      part.context_comm += exposed_context(time, attention, setting);
    else
      part.expert_comm += time;
  }
}

double attention_time(const std::vector<workload::Operator>& operators, const Setting& setting, Pass pass) {
  double time = 0;
  for (const auto& op : operators)
    if (op.kind == workload::OpKind::kAttention)
      time += cost::kernel_time(op, setting.machine.device, pass).time.value();
  return time;
}

Part part_of(const workload::Work& work, const Setting& setting, Pass pass) {
  Part part;
  add_kernels(part, work.operators, setting, pass);
  add_transfers(part, work.transfers, attention_time(work.operators, setting, pass), setting);
  add_host(part, work, setting);
  return part;
}

bool belongs_to_experts(workload::OpName name) {
  using enum workload::OpName;
  return name == kRouter || name == kPermute || name == kExpertUp || name == kExpertDown || name == kSharedExpert;
}

/// What selective recompute runs again: the attention core (scores, softmax, dropout, times values) and, where the run
/// says so, the layers of experts with their transfers (Megatron-Core's recompute module "moe").
Part selective_part(const workload::Work& forward, const Setting& setting) {
  const bool experts = setting.machine.software.facts.contains("recomputes_experts");
  workload::Work again;
  std::copy_if(forward.operators.begin(), forward.operators.end(), std::back_inserter(again.operators),
               [experts](const auto& op) {
                 return op.name == workload::OpName::kAttention || op.name == workload::OpName::kSoftmax ||
                        (experts && belongs_to_experts(op.name));
               });
  std::copy_if(forward.transfers.begin(), forward.transfers.end(), std::back_inserter(again.transfers),
               [experts](const auto& transfer) { return experts && transfer.axis == Axis::kExpert; });
  return part_of(again, setting, Pass::kForward);
}

/// Frozen weights kept in few bits are expanded before each product: read packed, written in 16 bits.
double dequantise_time(double parameters, const Setting& setting) {
  if (setting.job.adaptation.kind != scenario::FineTuning::kQlora) return 0;
  return parameters * (setting.job.adaptation.frozen_bits / 8 + 2) / setting.machine.device.memory_rate;
}

/// Weights of products in fewer than 16 bits are cast anew for each micro-batch, as they are and transposed.
double cast_time(double parameters, const Setting& setting) {
  const auto& numerics = setting.job.numerics;
  if (base::bits(numerics.compute) >= 16) return 0;
  const double bytes = base::bytes_of(numerics.weights) + 2 * base::bytes_of(numerics.compute);
  return parameters * bytes / setting.machine.device.memory_rate;
}

LayerTimes::Kind kind_times(const LayerWorks::Kind& work, Setting setting) {
  setting.copies = work.experts_per_token;
  setting.experts = work.experts;
  LayerTimes::Kind times;
  times.forward = part_of(work.forward, setting, Pass::kForward);
  times.backward = part_of(work.backward, setting, Pass::kBackward);
  times.recompute_selective = selective_part(work.forward, setting);
  times.dense_parameters = work.dense_parameters;
  times.expert_parameters = work.expert_parameters;
  const double expand = dequantise_time(times.dense_parameters + times.expert_parameters, setting);
  times.forward.memory_time += expand + cast_time(times.dense_parameters + times.expert_parameters, setting);
  times.backward.memory_time += expand;
  return times;
}

}  // namespace

LayerTimes layer_times(const LayerWorks& works, const Job& job, const Machine& machine, const Shape& shape) {
  const Setting setting{job, machine, shape, groups_of(shape, machine.fabric), 1};
  LayerTimes times;
  times.kinds.reserve(works.kinds.size());
  for (const auto& kind : works.kinds) times.kinds.push_back(kind_times(kind, setting));
  times.embedding_forward = part_of(works.embedding_forward, setting, Pass::kForward);
  times.embedding_backward = part_of(works.embedding_backward, setting, Pass::kBackward);
  times.head_forward = part_of(works.head_forward, setting, Pass::kForward);
  times.head_backward = part_of(works.head_backward, setting, Pass::kBackward);
  times.tied = job.model.tied_embeddings;
  times.embedding_parameters = works.embedding_parameters;
  times.head_parameters = works.head_parameters;
  const auto& facts = machine.software.facts;
  const bool adds_in_product = facts.contains("fused_gradient_accumulation") || has_frozen_weights(job);
  if (!adds_in_product)
    times.accumulate = (2 * base::bytes_of(job.numerics.gradients) + 2) / machine.device.memory_rate;
  const bool splits_boundary = shape.sequence_parallel || facts.contains("splits_pipeline_transfers");
  const double tokens = static_cast<double>(shape.micro_batch) * static_cast<double>(job.sequence) / shape.context;
  times.boundary_bytes = tokens * static_cast<double>(job.model.hidden) * 2 / (splits_boundary ? shape.tensor : 1);
  return times;
}

LayerTimes layer_times(const Job& job, const Machine& machine, const Shape& shape) {
  return layer_times(layer_works(job, machine.software, shape), job, machine, shape);
}

}  // namespace headrace::training
