// SPDX-License-Identifier: Apache-2.0
#include "training/step.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "training/legal.h"
#include "training/step_simulation.h"

namespace headrace::training {
namespace {

using scenario::DataParallel;
using scenario::Recompute;
using scenario::Strategy;

/// 16 equal gated layers of width 4096 with 32 heads, and a vocabulary of 32000.
Job small_job() {
  Job job;
  job.sequence = 4096;
  workload::LayerKind kind;
  kind.mixer.heads = 32;
  kind.mixer.kv_heads = 8;
  kind.mixer.head_dim = kind.mixer.value_dim = 128;
  kind.feed_forward.hidden = 14336;
  job.model.hidden = 4096;
  job.model.vocabulary = 32000;
  job.model.kinds = {kind};
  job.model.layers.assign(16, 0);
  return job;
}

const catalog::Catalog& shipped() {
  static const auto catalog = catalog::load_catalog();
  return *catalog;
}

Machine small_machine(int accelerators) {
  const auto& catalog = shipped();
  const auto* platform = catalog.platforms.find("dgx-h100");
  return *make_machine(*catalog.accelerators.find(platform->accelerator), *platform,
                       catalog.networks.find(platform->network), *catalog.software.find("megatron-core-0.8"),
                       catalog.calibration, accelerators);
}

StepTime step_of(const Job& job, const Machine& machine, const Strategy& strategy) {
  const auto layers = layer_times(job, machine, shape_of(strategy));
  const auto layout = divide_layers(job.model, strategy.pipeline, strategy.virtual_pipeline, strategy.schedule);
  return simulated_step(layers, layout, job, machine, strategy);
}

double sum_of(const StepTime& step) {
  return step.tensor + step.memory_bound + step.launch + step.tensor_comm + step.context_comm + step.expert_comm +
         step.pipeline_comm + step.data_comm + step.recompute + step.bubble + step.imbalance + step.optimizer +
         step.straggler + step.other;
}

/// Any legal strategy of the small job.
Strategy any_strategy(int& accelerators) {
  Strategy strategy;
  strategy.tensor = 1 << *rc::gen::inRange(0, 4);
  strategy.pipeline = 1 << *rc::gen::inRange(0, 4);
  strategy.virtual_pipeline = strategy.pipeline > 1 ? 1 << *rc::gen::inRange(0, 2) : 1;
  strategy.context = 1 << *rc::gen::inRange(0, 2);
  strategy.data = 1 << *rc::gen::inRange(0, 5);
  strategy.micro_batch = 1 << *rc::gen::inRange(0, 2);
  strategy.global_batch =
      std::int64_t{strategy.data} * strategy.micro_batch * strategy.pipeline * *rc::gen::inRange(1, 5);
  strategy.sequence_parallel = *rc::gen::arbitrary<bool>();
  strategy.overlap_tensor = *rc::gen::arbitrary<bool>();
  strategy.overlap_gradient_reduce = *rc::gen::arbitrary<bool>();
  strategy.overlap_parameter_gather = *rc::gen::arbitrary<bool>();
  strategy.data_parallel =
      *rc::gen::element(DataParallel::kDdp, DataParallel::kZero1, DataParallel::kZero2, DataParallel::kZero3);
  strategy.recompute = *rc::gen::element(Recompute::kNone, Recompute::kSelective, Recompute::kFull);
  accelerators = strategy.tensor * strategy.pipeline * strategy.context * strategy.data;
  return strategy;
}

RC_GTEST_PROP(StepTime, PartsAreNeverNegativeAndSumToTheTime, ()) {
  int accelerators = 0;
  const auto strategy = any_strategy(accelerators);
  const auto job = small_job();
  RC_PRE(!illegal(job, strategy, accelerators).has_value());
  const auto step = step_of(job, small_machine(accelerators), strategy);
  RC_ASSERT(std::abs(sum_of(step) - step.time) <= 1e-9 * step.time);
  for (const double part :
       {step.tensor, step.memory_bound, step.launch, step.tensor_comm, step.pipeline_comm, step.data_comm,
        step.recompute, step.bubble, step.imbalance, step.optimizer, step.straggler})
    RC_ASSERT(part >= -1e-12);
}

RC_GTEST_PROP(StepTime, MoreOfAnythingIsNeverSlower, ()) {
  int accelerators = 0;
  const auto strategy = any_strategy(accelerators);
  const auto job = small_job();
  RC_PRE(!illegal(job, strategy, accelerators).has_value());
  const auto machine = small_machine(accelerators);
  const double before = step_of(job, machine, strategy).time * (1 + 1e-12);
  const double more = 1 + *rc::gen::inRange(1, 300) / 100.0;
  auto faster = machine;
  for (auto& rate : faster.device.gemm_rate) rate *= more;
  faster.device.attention_forward_rate *= more;
  faster.device.attention_backward_rate *= more;
  RC_ASSERT(step_of(job, faster, strategy).time <= before);
  faster = machine;
  faster.device.memory_rate *= more;
  faster.device.memory_bandwidth *= more;
  RC_ASSERT(step_of(job, faster, strategy).time <= before);
  faster = machine;
  faster.fabric.scaleup_bandwidth *= more;
  RC_ASSERT(step_of(job, faster, strategy).time <= before);
  faster = machine;
  faster.fabric.network_bandwidth *= more;
  RC_ASSERT(step_of(job, faster, strategy).time <= before);
}

TEST(StepTime, RecomputeCostsUpToOneForwardPass) {
  const auto job = small_job();
  const auto machine = small_machine(8);
  Strategy strategy{.data = 8, .global_batch = 32};
  const double none = step_of(job, machine, strategy).time;
  strategy.recompute = Recompute::kSelective;
  const double selective = step_of(job, machine, strategy).time;
  strategy.recompute = Recompute::kFull;
  const double full = step_of(job, machine, strategy).time;
  strategy.recompute_layers = 8;
  const double half = step_of(job, machine, strategy).time;
  EXPECT_LT(none, selective);
  EXPECT_LT(selective, half);
  EXPECT_NEAR(half, (none + full) / 2, 1e-6 * full);
  EXPECT_LT(full, 1.4 * none);
}

TEST(StepTime, InterleavingDividesTheBubble) {
  const auto job = small_job();
  const auto machine = small_machine(8);
  Strategy strategy{.pipeline = 4, .data = 2, .global_batch = 16};
  const double plain = step_of(job, machine, strategy).bubble;
  strategy.virtual_pipeline = 2;
  // Embedding and head make the ends unequal.
  EXPECT_NEAR(step_of(job, machine, strategy).bubble, plain / 2, 0.02 * plain);
  EXPECT_EQ(step_of(job, machine, {.data = 8, .global_batch = 16}).bubble, 0);
}

TEST(StepTime, SoftwareThatSendsBesideProductsShowsLessOfIt) {
  const auto job = small_job();
  auto machine = small_machine(8);
  const Strategy strategy{.tensor = 4, .data = 2, .global_batch = 16};
  const double hiding = step_of(job, machine, strategy).tensor_comm;
  machine.software.facts.erase("hides_tensor_backward");
  // Half of the transfers are backward, and of those only overlap_slowdown shows.
  EXPECT_NEAR(hiding / step_of(job, machine, strategy).tensor_comm, (1 + machine.constants.overlap_slowdown) / 2, 0.05);
}

TEST(StepTime, ATokenCrossesOnceToEachPlaceThatHasItsExperts) {
  // 16 ranks in two domains of 8 share 64 experts, of which each token takes 8. Sent one by one, half of all copies
  // cross. Random experts are in 2·(1 − 2⁻⁸) ≈ 2 of the domains: about a quarter of the bytes. Neighbouring ones fill 2
  // ranks of one domain: an eighth.
  auto job = small_job();
  auto& mlp = job.model.kinds[0].feed_forward;
  mlp.hidden = 0;
  mlp.experts = 64;
  mlp.experts_per_token = 8;
  mlp.expert_hidden = 512;
  auto machine = small_machine(16);
  const Strategy strategy{.data = 16, .expert = 16, .micro_batch = 4, .global_batch = 64};
  machine.software.facts.erase("expert_dispatch_by_domain");
  machine.software.facts.erase("overlaps_expert_parallel");
  const double plain = step_of(job, machine, strategy).expert_comm;
  machine.software.facts["expert_dispatch_by_domain"] = "true";
  const double random = step_of(job, machine, strategy).expert_comm;
  machine.software.facts["routes_to_neighbours"] = "true";
  const double neighbours = step_of(job, machine, strategy).expert_comm;
  const auto recomputed = [&] {
    auto again = strategy;
    again.recompute = Recompute::kSelective;
    return step_of(job, machine, again).recompute;
  };
  const double attention = recomputed();
  machine.software.facts["recomputes_experts"] = "true";
  EXPECT_GT(recomputed(), attention + 0.9 * neighbours / 2) << "forward's half of the transfers goes again";
  EXPECT_LT(random, 0.6 * plain);
  EXPECT_LT(neighbours, 0.75 * random);
  EXPECT_GT(neighbours, plain / 8 * 0.9);
}

TEST(StepTime, FrozenWeightsNeedNoGradientOfTheirOwn) {
  auto job = small_job();
  const auto machine = small_machine(8);
  const Strategy strategy{.data = 8, .global_batch = 32};
  const auto whole = step_of(job, machine, strategy);
  job.adaptation.kind = scenario::FineTuning::kLora;
  const auto adapters = step_of(job, machine, strategy);
  EXPECT_LT(adapters.tensor, 0.75 * whole.tensor);
  EXPECT_GT(adapters.tensor, 0.6 * whole.tensor);
  EXPECT_LT(adapters.optimizer, whole.optimizer / 10);
}

TEST(StepTime, TheDataParallelWidthDoesNotChangeTheLayers) {
  const auto job = small_job();
  const Strategy narrow{.data = 8, .global_batch = 32}, wide{.data = 64, .global_batch = 256};
  EXPECT_DOUBLE_EQ(step_of(job, small_machine(8), narrow).tensor, step_of(job, small_machine(64), wide).tensor);
}

TEST(DivideLayers, BothEndsGetFewer) {
  auto job = small_job();
  job.model.layers.assign(126, 0);
  const auto layout = divide_layers(job.model, 16, 1);
  // 128 places for 126 layers: the first and the last rank hold one less.
  EXPECT_EQ(layout.stages.front().count_by_kind[0], 7);
  EXPECT_EQ(layout.stages.back().count_by_kind[0], 7);
  EXPECT_EQ(layout.stages[1].count_by_kind[0], 8);
  EXPECT_EQ(layout.distinct.size(), 3U);
  EXPECT_EQ(layout.repeats[1], 14);
}

TEST(DivideLayers, PredictionBlocksAndTheirHeadsTakeThePlaceOfLayers) {
  auto job = small_job();
  job.model.layers.assign(61, 0);
  job.model.mtp_layers = 1;
  // One prediction block and two runs of the head count as 3 layers: 64 places, 4 a chunk, and the last has 1 layer.
  const auto layout = divide_layers(job.model, 16, 1);
  EXPECT_EQ(layout.stages.front().count_by_kind[0], 4);
  EXPECT_EQ(layout.stages[14].count_by_kind[0], 4);
  EXPECT_EQ(layout.stages.back().count_by_kind[0], 1 + 1) << "one layer and the block";
  // 32 chunks of 2: the last has no layer, the first one less.
  const auto interleaved = divide_layers(job.model, 8, 4);
  EXPECT_EQ(interleaved.stages.front().count_by_kind[0], 7);
  EXPECT_EQ(interleaved.stages.back().count_by_kind[0], 6 + 1);
}

TEST(DivideLayers, EveryLayerIsSomewhere) {
  auto job = small_job();
  for (const int layers : {7, 16, 61, 126}) {
    job.model.layers.assign(static_cast<std::size_t>(layers), 0);
    for (const int pipeline : {1, 2, 4, 7}) {
      const auto layout = divide_layers(job.model, pipeline, 1);
      const int sum = std::accumulate(layout.stages.begin(), layout.stages.end(), 0,
                                      [](int total, const auto& stage) { return total + stage.count_by_kind[0]; });
      EXPECT_EQ(sum, layers) << pipeline;
    }
  }
}

TEST(Illegal, SaysWhy) {
  const auto job = small_job();
  EXPECT_FALSE(illegal(job, {.tensor = 8, .data = 2, .global_batch = 4}, 16).has_value());
  EXPECT_EQ(illegal(job, {.tensor = 8, .data = 2, .global_batch = 4}, 8)->id, "strategy.degrees_and_accelerators");
  EXPECT_EQ(illegal(job, {.tensor = 3, .data = 1, .global_batch = 4}, 3)->id, "strategy.heads");
  EXPECT_EQ(illegal(job, {.data = 4, .micro_batch = 2, .global_batch = 4}, 4)->id, "strategy.batch_rounds");
  EXPECT_EQ(illegal(job, {.pipeline = 32, .global_batch = 4}, 32)->id, "strategy.layers");
  EXPECT_EQ(illegal(job, {.data = 2, .expert = 2, .global_batch = 4}, 2)->id, "strategy.no_experts");
  EXPECT_EQ(illegal(job, {.pipeline = 4, .virtual_pipeline = 2, .global_batch = 6}, 4)->id,
            "strategy.interleaving_rounds");
}

TEST(StepTime, AllToAllsOverHeadsShowWhole) {
  // Two ranks with 2048 of 4096 tokens: queries and outputs of 16 heads of 128 in 16 bit, keys and values of 4.
  const auto job = small_job();
  const auto machine = small_machine(2);
  const auto context_comm = [&](scenario::ContextKind kind) {
    const auto layers = layer_times(job, machine, shape_of({.context = 2, .context_kind = kind}));
    return layers.kinds[0].forward.context_comm;
  };
  const auto time = [&](double heads) {
    return cost::collective_time(workload::Collective::kAllToAll, base::Bytes(4096 * heads * 128 * 2), {2, 2},
                                 machine.fabric)
        .value();
  };
  EXPECT_NEAR(context_comm(scenario::ContextKind::kAllToAll), 2 * time(16) + 2 * time(4), 1e-12);
  EXPECT_GT(context_comm(scenario::ContextKind::kAllToAll), context_comm(scenario::ContextKind::kRing));
}

TEST(Illegal, AllToAllsOverHeadsNeedHeadsForEveryRank) {
  // 32 heads, 8 for keys and values.
  const auto job = small_job();
  Strategy strategy{.tensor = 8, .context = 8, .context_kind = scenario::ContextKind::kAllToAll};
  EXPECT_EQ(illegal(job, strategy, 64)->id, "strategy.heads");
  strategy.context_kind = scenario::ContextKind::kRing;
  EXPECT_FALSE(illegal(job, strategy, 64).has_value());
  strategy = {.tensor = 4, .context = 4, .context_kind = scenario::ContextKind::kAllToAll};
  EXPECT_FALSE(illegal(job, strategy, 16).has_value()) << "each key-value head on two ranks";
  // Transformer Engine repeats none; the release before 0.10 has a ring only; DeepSpeed has none.
  const auto& software = shipped().software;
  const auto says = [&](const char* id, const Strategy& s) {
    const auto reason = unsupported(*software.find(id), job, s);
    return reason ? reason->id : std::string();
  };
  EXPECT_EQ(says("megatron-core-0.14", strategy), "strategy.software_repeats_no_keys");
  EXPECT_EQ(says("megatron-core-0.14", {.tensor = 2, .context = 4, .context_kind = scenario::ContextKind::kAllToAll}),
            "");
  EXPECT_EQ(says("megatron-core-0.9", strategy), "strategy.software_lacks");
  EXPECT_EQ(says("deepspeed-2025", strategy), "");
  EXPECT_EQ(says("deepspeed-2025", {.context = 4}), "strategy.software_lacks");
}

TEST(Unsupported, AsksTheSoftware) {
  // A framework with an optimizer shard that pipelines, and FSDP that does not.
  using catalog::WithPipeline;
  catalog::Software software;
  EXPECT_FALSE(unsupported(software, {.pipeline = 4, .virtual_pipeline = 2, .data = 2}).has_value());
  software.abilities.zero1 = WithPipeline::kSimple;
  software.abilities.zero2 = software.abilities.shard_groups = WithPipeline::kUnsupported;
  software.abilities.zero3 = WithPipeline::kAlone;
  software.abilities.context = false;
  const auto says = [&](const Strategy& strategy) {
    const auto reason = unsupported(software, strategy);
    return reason ? reason->id : std::string();
  };
  EXPECT_EQ(says({.pipeline = 4, .virtual_pipeline = 2, .data = 2, .data_parallel = DataParallel::kDdp}), "");
  EXPECT_EQ(says({.pipeline = 4, .data = 2, .data_parallel = DataParallel::kZero1}), "");
  EXPECT_EQ(says({.pipeline = 4, .virtual_pipeline = 2, .data = 2, .data_parallel = DataParallel::kZero1}),
            "strategy.software_no_interleaving");
  EXPECT_EQ(says({.data = 2, .data_parallel = DataParallel::kZero2}), "strategy.software_lacks");
  EXPECT_EQ(says({.data = 2, .data_parallel = DataParallel::kZero3}), "");
  EXPECT_EQ(says({.pipeline = 4, .data = 2, .data_parallel = DataParallel::kZero3}), "strategy.software_no_pipeline");
  EXPECT_EQ(says({.data = 4, .data_parallel = DataParallel::kZero3, .shard_group = 2}), "strategy.software_lacks");
  EXPECT_EQ(says({.context = 2}), "strategy.software_lacks");
  EXPECT_EQ(says({.pipeline = 4, .data_parallel = DataParallel::kZero3}), "") << "nothing is divided";
}

TEST(StepTime, FsdpBehindAPipelineGathersForEachMicroBatchUnlessKeptWhole) {
  const Strategy strategy{.pipeline = 2,
                          .data = 16,
                          .global_batch = 256,
                          .data_parallel = DataParallel::kZero3,
                          .overlap_gradient_reduce = true,
                          .overlap_parameter_gather = true};
  auto machine = small_machine(32);
  machine.constants.pipeline_keeps_whole = true;
  const double kept = step_of(small_job(), machine, strategy).data_comm;
  machine.constants.pipeline_keeps_whole = false;
  EXPECT_GT(step_of(small_job(), machine, strategy).data_comm, 2 * kept);
}

}  // namespace
}  // namespace headrace::training
