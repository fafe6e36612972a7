// SPDX-License-Identifier: Apache-2.0
#include "plan/nearest.h"

#include <algorithm>
#include <optional>

#include "scenario/names.h"

namespace headrace::plan {
namespace {

constexpr int kMostTimesLarger = 64;

/// What the changes start from.
struct Wish {
  const training::Job& job;
  const training::Machine& machine;
  const Space& space;
  Options options;
};

std::optional<Candidate> best(const training::Job& job, const training::Machine& machine, const Space& space,
                              const Options& options) {
  const Found found = search(job, machine, space, options);
  if (found.best.empty()) return std::nullopt;
  return found.best[0];
}

void add(std::vector<Change>& all, ChangeKind kind, base::Message what, std::string set,
         const std::optional<Candidate>& candidate, int accelerators) {
  if (candidate) all.push_back({kind, std::move(what), std::move(set), *candidate, accelerators});
}

/// Opens one group of given choices at a time; those that were open already can't help.
void open_choices(const Wish& wish, std::vector<Change>& all) {
  const int n = wish.machine.accelerators;
  const auto with = [&](const Space& space) { return best(wish.job, wish.machine, space, wish.options); };
  if (!wish.space.micro_batch.empty()) {
    Space space = wish.space;
    space.micro_batch.clear();
    if (const auto c = with(space)) {
      const auto size = std::to_string(c->strategy.micro_batch);
      add(all, ChangeKind::kMicroBatch, {"plan.change_micro_batch", {size}}, "strategy.micro_batch=" + size, c, n);
    }
  }
  if (!wish.space.recompute.empty() || !wish.space.recompute_layers.empty()) {
    Space space = wish.space;
    space.recompute.clear();
    space.recompute_layers.clear();
    if (const auto c = with(space)) {
      const std::string word(scenario::name_of(c->strategy.recompute));
      add(all, ChangeKind::kRecompute, {"plan.change_recompute", {word}}, "strategy.recompute=" + word, c, n);
    }
  }
  if (!wish.space.data_parallel.empty() || !wish.space.shard_group.empty()) {
    Space space = wish.space;
    space.data_parallel.clear();
    space.shard_group.clear();
    if (const auto c = with(space)) {
      const std::string word(scenario::name_of(c->strategy.data_parallel));
      add(all, ChangeKind::kShardStates, {"plan.change_data_parallel", {word}}, "strategy.data_parallel=" + word, c, n);
    }
  }
  if (!wish.space.offload_optimizer.empty()) {
    Space space = wish.space;
    space.offload_optimizer.clear();
    add(all, ChangeKind::kOffload, {"plan.change_offload", {}}, "strategy.offload_optimizer=true", with(space), n);
  }
}

void open_degrees(Space& space) {
  for (auto* degree : {&space.tensor, &space.pipeline, &space.virtual_pipeline, &space.context, &space.expert,
                       &space.expert_tensor, &space.data}) {
    degree->clear();
  }
}

bool any_degree_given(const Space& s) {
  return !(s.tensor.empty() && s.pipeline.empty() && s.virtual_pipeline.empty() && s.context.empty() &&
           s.expert.empty() && s.expert_tensor.empty() && s.data.empty());
}

std::string degrees_of(const scenario::Strategy& s) {
  std::string text = "TP " + std::to_string(s.tensor) + " · PP " + std::to_string(s.pipeline);
  if (s.context > 1) text += " · CP " + std::to_string(s.context);
  if (s.expert > 1) text += " · EP " + std::to_string(s.expert);
  return text + " · DP " + std::to_string(s.data);
}

void open_more(const Wish& wish, std::vector<Change>& all) {
  const int n = wish.machine.accelerators;
  if (any_degree_given(wish.space)) {
    Space space = wish.space;
    open_degrees(space);
    if (const auto c = best(wish.job, wish.machine, space, wish.options)) {
      add(all, ChangeKind::kDegrees, {"plan.change_degrees", {degrees_of(c->strategy)}}, "", c, n);
    }
  }
  if (!all.empty()) return;
  Space space;
  space.global_batch = wish.space.global_batch;
  space.global_batch_limit = wish.space.global_batch_limit;
  add(all, ChangeKind::kStrategy, {"plan.change_strategy", {}}, "strategy=auto",
      best(wish.job, wish.machine, space, wish.options), n);
}

/// Fewer bytes per parameter.
void change_numerics(const Wish& wish, std::vector<Change>& all) {
  const int n = wish.machine.accelerators;
  if (wish.job.adaptation.kind != scenario::FineTuning::kFull) return;
  if (wish.job.numerics.optimizer == scenario::Optimizer::kAdamW) {
    training::Job job = wish.job;
    job.numerics.optimizer = scenario::Optimizer::kAdam8bit;
    add(all, ChangeKind::kEightBitOptimizer, {"plan.change_adam8bit", {}}, "workload.numerics.optimizer=adam8bit",
        best(job, wish.machine, wish.space, wish.options), n);
  }
}

/// Training adapters instead of all weights answers another question than training from scratch: it comes last.
void change_adaptation(const Wish& wish, std::vector<Change>& all) {
  if (wish.job.adaptation.kind == scenario::FineTuning::kQlora) return;
  training::Job job = wish.job;
  if (job.adaptation.kind == scenario::FineTuning::kFull) {
    job.adaptation.kind = scenario::FineTuning::kLora;
    add(all, ChangeKind::kLora, {"plan.change_lora", {}}, "workload.fine_tuning=lora",
        best(job, wish.machine, wish.space, wish.options), wish.machine.accelerators);
  }
  job.adaptation.kind = scenario::FineTuning::kQlora;
  job.adaptation.frozen_bits = scenario::kNf4Bits;
  add(all, ChangeKind::kQlora, {"plan.change_qlora", {}}, "workload.fine_tuning=qlora",
      best(job, wish.machine, wish.space, wish.options), wish.machine.accelerators);
}

/// The smallest multiple of the machine on which something fits.
void more_accelerators(const Wish& wish, std::vector<Change>& all) {
  for (int times = 2; times <= kMostTimesLarger; times += times < 4 ? 1 : times / 2) {
    training::Machine machine = wish.machine;
    machine.accelerators *= times;
    if (machine.accelerators > machine.fabric.domain && machine.fabric.network_bandwidth <= 0) return;
    if (const auto c = best(wish.job, machine, wish.space, wish.options)) {
      const auto count = std::to_string(machine.accelerators);
      add(all, ChangeKind::kMoreAccelerators, {"plan.change_accelerators", {count}}, "center.gpus=" + count, c,
          machine.accelerators);
      return;
    }
  }
}

/// Of the other machines, the one with the least memory on which something fits.
void other_machine(const Wish& wish, const std::vector<OtherMachine>& others, std::vector<Change>& all) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (others[i].machine->device.memory > wish.machine.device.memory) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double memory_a = others[a].machine->device.memory, memory_b = others[b].machine->device.memory;
    return memory_a != memory_b ? memory_a < memory_b : a < b;
  });
  for (const std::size_t i : order) {
    const training::Machine& machine = *others[i].machine;
    if (auto c = best(wish.job, machine, wish.space, wish.options)) {
      c->machine = int(i);
      add(all, ChangeKind::kOtherMachine, {"plan.change_platform", {others[i].platform}},
          "center.platform=" + others[i].platform, c, machine.accelerators);
      return;
    }
  }
}

}  // namespace

std::vector<Change> nearest_changes(const training::Job& job, const training::Machine& machine, const Space& space,
                                    const Options& options, const std::vector<OtherMachine>& others) {
  Wish wish{job, machine, space, options};
  wish.options.top = 1;
  wish.options.prune = true;
  wish.options.front = false;
  wish.options.nearest = false;
  wish.options.progress = nullptr;
  std::vector<Change> all;
  open_choices(wish, all);
  open_more(wish, all);
  change_numerics(wish, all);
  more_accelerators(wish, all);
  other_machine(wish, others, all);
  change_adaptation(wish, all);
  return all;
}

}  // namespace headrace::plan
