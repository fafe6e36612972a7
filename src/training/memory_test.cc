// SPDX-License-Identifier: Apache-2.0
#include "training/memory.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "workload/parameters.h"

namespace headrace::training {
namespace {

using scenario::DataParallel;
using scenario::Recompute;
using scenario::Strategy;

/// A decoder of `layers` layers of width 8: 2 heads of 4, gated MLP of 16, 32 words, an untied head. One layer has
/// 8·24 + 8·8 + 3·8·16 + 2·8 = 656 parameters, embedding and head 256 each.
workload::Architecture small_model(int layers) {
  workload::Architecture model;
  model.name = "small";
  model.hidden = 8;
  model.vocabulary = 32;
  workload::LayerKind kind;
  kind.mixer.heads = kind.mixer.kv_heads = 2;
  kind.mixer.head_dim = kind.mixer.value_dim = 4;
  kind.feed_forward.hidden = 16;
  model.kinds = {kind};
  model.layers.assign(std::size_t(layers), 0);
  return model;
}

Job small_job(int layers, std::int64_t sequence) {
  Job job;
  job.model = small_model(layers);
  job.sequence = sequence;
  return job;
}

/// A framework that fuses what there is to fuse and keeps fp32 main gradients.
Machine fused_machine() {
  Machine machine;
  machine.software.fused_norms = machine.software.fused_activation = machine.software.fused_rotary = true;
  machine.software.fused_cross_entropy = machine.software.fused_optimizer = true;
  machine.software.gradients_in_fp32 = true;
  return machine;
}

void set(Machine& machine, const char* key, double value) {
  catalog::Constant constant;
  constant.value = value;
  machine.calibration.set(key, constant);
}

Strategy plain(std::int64_t batch) {
  Strategy strategy;
  strategy.data_parallel = DataParallel::kDdp;
  strategy.global_batch = batch;
  return strategy;
}

Memory peak(const Job& job, const Machine& machine, const Strategy& strategy,
            MemoryQuantity quantity = MemoryQuantity::kAllocated) {
  const LayerMemory layers = layer_memory(job, machine, shape_of(strategy));
  const Layout layout = divide_layers(job.model, strategy.pipeline, strategy.virtual_pipeline);
  return peak_memory(layers, layout, job, machine, strategy, quantity);
}

// 2 layers, one sequence of 4 tokens, one accelerator, mixed bf16 with Adam: 1824 parameters of 2 + 4 + 12 bytes.
// A layer keeps per token: both norms' inputs 32 and outputs 32, q k v o 64, log-sum-exp 8, gate and up 64, their
// product 32 = 232 bytes. The last layer's backward pass holds gradients of 96 + 32 bytes per token, more than the
// loss's 64. Final norm and head keep 32 per token, the embedding its 8-byte index.
TEST(Memory, SmallDecoderOnOneAccelerator) {
  const Memory memory = peak(small_job(2, 4), fused_machine(), plain(1));
  EXPECT_DOUBLE_EQ(memory.weights, 2 * 1824);
  EXPECT_DOUBLE_EQ(memory.gradients, 4 * 1824);
  EXPECT_DOUBLE_EQ(memory.optimizer, 12 * 1824);
  EXPECT_DOUBLE_EQ(memory.activations, 4 * (2 * 232 + 8 + 32 + 128));
  EXPECT_DOUBLE_EQ(memory.logits, 0);
  EXPECT_DOUBLE_EQ(memory.total(), 18 * 1824 + 2528);
}

// The same with full recompute: each layer keeps its input (16 per token), and the one that runs backward has its 232
// again.
TEST(Memory, FullRecomputeKeepsInputsAndOneLayer) {
  Strategy strategy = plain(1);
  strategy.recompute = Recompute::kFull;
  const Memory memory = peak(small_job(2, 4), fused_machine(), strategy);
  EXPECT_DOUBLE_EQ(memory.activations, 4 * (2 * 16 + 8 + 32 + 128 + 232 - 16));
}

// Optimizer states over 4 ranks, then gradients, then weights (where a layer's parameters and gradients are whole for a
// while).
TEST(Memory, ZeroStagesDivideOneStateAfterTheOther) {
  Strategy strategy = plain(4);
  strategy.data = 4;
  strategy.data_parallel = DataParallel::kZero1;
  const Memory first = peak(small_job(2, 4), fused_machine(), strategy);
  EXPECT_DOUBLE_EQ(first.optimizer, 12 * 1824 / 4.0);
  EXPECT_DOUBLE_EQ(first.gradients, 4 * 1824);
  strategy.data_parallel = DataParallel::kZero2;
  EXPECT_DOUBLE_EQ(peak(small_job(2, 4), fused_machine(), strategy).gradients, 1824);
  strategy.data_parallel = DataParallel::kZero3;
  const Memory third = peak(small_job(2, 4), fused_machine(), strategy);
  EXPECT_DOUBLE_EQ(third.weights, 2 * 1824 / 4.0);
  EXPECT_DOUBLE_EQ(third.communication, 2 * (2 * 656) + (4 + 2) * 656);
}

// 4 layers over 2 pipeline ranks, 8 micro-batches: the first rank holds 2 micro-batches' activations of its 2 layers,
// the last 1.
TEST(Memory, FirstPipelineRankHoldsMoreMicroBatches) {
  Strategy strategy = plain(8);
  strategy.pipeline = 2;
  const Job job = small_job(4, 4);
  const Machine machine = fused_machine();
  const LayerMemory layers = layer_memory(job, machine, shape_of(strategy));
  const auto stages =
      stage_memory(layers, divide_layers(job.model, 2, 1), job, machine, strategy, MemoryQuantity::kAllocated);
  ASSERT_EQ(stages.size(), 2U);
  EXPECT_DOUBLE_EQ(stages[0].activations, 4 * (2 * (2 * 232 + 8) + 128));
  EXPECT_DOUBLE_EQ(stages[1].activations, 4 * (2 * 232 + 32 + 128));
}

// Low-rank adapters of rank 2 on queries and values: 2 · (8 + 8) · 2 = 64 parameters a layer; the rest is frozen in 16
// bit.
TEST(Memory, AdaptersKeepStatesOfAdaptersOnly) {
  Job job = small_job(2, 4);
  job.adaptation.kind = scenario::FineTuning::kLora;
  job.adaptation.rank = 2;
  const Memory memory = peak(job, fused_machine(), plain(1));
  EXPECT_DOUBLE_EQ(memory.weights, 2 * 1824 + 2 * 128);
  EXPECT_DOUBLE_EQ(memory.gradients, 2 * 128);
  EXPECT_DOUBLE_EQ(memory.optimizer, 4 * 128);
}

// Without fused attention the scores of 2 heads and 16 keys cost 5 bytes each; selective recompute drops just those.
TEST(Memory, SelectiveRecomputeDropsUnfusedScores) {
  Machine machine = fused_machine();
  const Job job = small_job(1, 16);
  const double flash = layer_memory(job, machine, Shape{}).kinds[0].saved_none;
  machine.software.attention = catalog::AttentionKernel::kUnfused;
  const auto unfused = layer_memory(job, machine, Shape{}).kinds[0];
  EXPECT_DOUBLE_EQ(unfused.saved_none - flash, 16 * (5 * 2 * 16 - 8));
  EXPECT_DOUBLE_EQ(unfused.saved_selective, flash - 16 * 8);
}

Strategy any_strategy() {
  Strategy strategy;
  strategy.tensor = *rc::gen::element(1, 2);
  strategy.pipeline = *rc::gen::element(1, 2, 4);
  strategy.virtual_pipeline = strategy.pipeline > 1 ? *rc::gen::element(1, 2) : 1;
  strategy.context = *rc::gen::element(1, 2);
  strategy.data = *rc::gen::element(1, 2, 8);
  strategy.micro_batch = *rc::gen::element(1, 2);
  strategy.global_batch = 64;
  strategy.sequence_parallel = strategy.tensor > 1 && *rc::gen::arbitrary<bool>();
  strategy.data_parallel =
      *rc::gen::element(DataParallel::kDdp, DataParallel::kZero1, DataParallel::kZero2, DataParallel::kZero3);
  strategy.recompute = *rc::gen::element(Recompute::kNone, Recompute::kSelective, Recompute::kFull);
  return strategy;
}

/// Runs one property; gtest sees a failure with rapidcheck's counterexample in its output.
template <typename Property>
void holds(Property property) {
  EXPECT_TRUE(rc::check(property));
}

TEST(MemoryProperties, PeakIsTheFullestRankAndQuantitiesAreOrdered) {
  holds([] {
    const Strategy strategy = any_strategy();
    const Job job = small_job(8, 32);
    Machine machine = fused_machine();
    set(machine, "memory.context", 1000);
    set(machine, "memory.fragmentation", 0.1);
    const LayerMemory layers = layer_memory(job, machine, shape_of(strategy));
    const Layout layout = divide_layers(job.model, strategy.pipeline, strategy.virtual_pipeline);
    double most = 0;
    for (const Memory& memory : stage_memory(layers, layout, job, machine, strategy))
      most = std::max(most, memory.total());
    RC_ASSERT(std::abs(peak_memory(layers, layout, job, machine, strategy).total() - most) <= 1e-9 * most);
    const double allocated = peak(job, machine, strategy, MemoryQuantity::kAllocated).total();
    const double reserved = peak(job, machine, strategy, MemoryQuantity::kReserved).total();
    RC_ASSERT(allocated <= reserved && reserved <= peak(job, machine, strategy, MemoryQuantity::kDevice).total());
  });
}

TEST(MemoryProperties, MoreRecomputeNeverKeepsMore) {
  holds([] {
    Strategy strategy = any_strategy();
    const Shape shape = shape_of(strategy);
    const auto kind = layer_memory(small_job(4, 32), fused_machine(), shape).kinds[0];
    RC_ASSERT(kind.saved_full <= kind.saved_selective && kind.saved_selective <= kind.saved_none);
    strategy.recompute = Recompute::kNone;
    const double none = peak(small_job(8, 32), fused_machine(), strategy).total();
    strategy.recompute = Recompute::kFull;
    double before = none;
    for (const int layers : {1, 2, 4}) {
      strategy.recompute_layers = layers;
      const double now = peak(small_job(8, 32), fused_machine(), strategy).total();
      if (layers > 1) RC_ASSERT(now <= before * (1 + 1e-12));
      before = now;
    }
  });
}

TEST(MemoryProperties, LongerSequencesAndLargerMicroBatchesNeverNeedLess) {
  holds([] {
    Strategy strategy = any_strategy();
    const double before = peak(small_job(8, 32), fused_machine(), strategy).total();
    RC_ASSERT(peak(small_job(8, 64), fused_machine(), strategy).total() >= before);
    strategy.global_batch *= 2;
    strategy.micro_batch *= 2;
    RC_ASSERT(peak(small_job(8, 32), fused_machine(), strategy).total() >= before);
  });
}

TEST(MemoryProperties, MoreShardsNeverNeedMore) {
  holds([] {
    Strategy strategy = any_strategy();
    strategy.data = 8;
    double before = 1e300;
    for (const int group : {1, 2, 4, 8}) {
      strategy.shard_group = group;
      const double now = peak(small_job(8, 32), fused_machine(), strategy).total();
      RC_ASSERT(now <= before);
      before = now;
    }
    const double one = peak(small_job(8, 32), fused_machine(), strategy).total();
    strategy.tensor *= 2;
    RC_ASSERT(peak(small_job(8, 32), fused_machine(), strategy).total() <= one);
  });
}

}  // namespace
}  // namespace headrace::training
