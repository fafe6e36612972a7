// SPDX-License-Identifier: Apache-2.0
#include "workload/operators.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "workload/parameters.h"

namespace headrace::workload {
namespace {

// A small system: hidden 64, 8 heads of 8 with 4 for keys and values, a gated MLP of 192, vocabulary 256.
Architecture small(bool experts = false) {
  Architecture model;
  model.hidden = 64;
  model.vocabulary = 256;
  LayerKind layer;
  layer.mixer.heads = 8;
  layer.mixer.kv_heads = 4;
  layer.mixer.head_dim = layer.mixer.value_dim = 8;
  if (experts) {
    layer.feed_forward.experts = 8;
    layer.feed_forward.experts_per_token = 2;
    layer.feed_forward.expert_hidden = 48;
  } else {
    layer.feed_forward.hidden = 192;
  }
  model.kinds = {layer};
  model.layers = {0, 0};
  return model;
}

double flops(const Work& work, OpKind kind) {
  double sum = 0;
  for (const Operator& op : work.operators) sum += op.kind == kind ? op.flops : 0;
  return sum;
}

double moved(const Work& work, Axis axis) {
  double sum = 0;
  for (const Transfer& transfer : work.transfers) sum += transfer.axis == axis ? transfer.bytes : 0;
  return sum;
}

Work work_of(const Architecture& model, const Batch& batch, const Sharding& sharding, Pass pass) {
  return layer_work(model, model.kinds.front(), batch, sharding, {}, base::Dtype::kBf16, pass);
}

TEST(Operators, MatrixFlopsAreTwicePerWeightAndToken) {
  const Architecture model = small();
  const Batch batch{2, 16};
  // Matrices of one layer: 64·64 + 2·64·32 + 64·64 + 3·64·192.
  const double weights = 4096 + 4096 + 4096 + 36864;
  EXPECT_DOUBLE_EQ(flops(work_of(model, batch, {}, Pass::kForward), OpKind::kGemm), 2 * 32 * weights);
  EXPECT_DOUBLE_EQ(flops(work_of(model, batch, {}, Pass::kBackward), OpKind::kGemm), 4 * 32 * weights);
}

TEST(Operators, CausalAttentionCountsPairsAtOrBelowTheDiagonal) {
  const Work work = work_of(small(), {2, 16}, {}, Pass::kForward);
  // 2 sequences · 8 heads · 16·17/2 pairs, 8 + 8 multiply-adds each.
  EXPECT_DOUBLE_EQ(flops(work, OpKind::kAttention), 2.0 * 2 * 8 * 136 * 16);
  // Backward: 3·8 + 2·8 multiply-adds per pair.
  EXPECT_DOUBLE_EQ(flops(work_of(small(), {2, 16}, {}, Pass::kBackward), OpKind::kAttention), 2.0 * 2 * 8 * 136 * 40);
}

TEST(Operators, AWindowCountsOnlyWhatItReaches) {
  Architecture model = small();
  model.kinds[0].mixer.window = 4;
  // Each of 16 queries sees 4 keys but the first three, which see 1, 2, 3.
  EXPECT_DOUBLE_EQ(flops(work_of(model, {1, 16}, {}, Pass::kForward), OpKind::kAttention),
                   2.0 * 8 * (1 + 2 + 3 + 13 * 4) * 16);
}

TEST(Operators, TensorParallelReducesTwiceForwardAndTwiceBackward) {
  const Sharding sharding{.tensor = 4};
  const double buffer = 2 * 16 * 64 * 2;
  for (const Pass pass : {Pass::kForward, Pass::kBackward}) {
    const Work work = work_of(small(), {2, 16}, sharding, pass);
    ASSERT_EQ(work.transfers.size(), 2U);
    EXPECT_EQ(work.transfers[0].collective, Collective::kAllReduce);
    EXPECT_DOUBLE_EQ(moved(work, Axis::kTensor), 2 * buffer);
    // Gradients of inputs travel while those of weights are made; nothing of the forward pass can wait.
    for (const auto& transfer : work.transfers) EXPECT_EQ(transfer.beside_product, pass == Pass::kBackward);
  }
}

TEST(Operators, SequenceParallelGathersAndScattersInstead) {
  const Sharding sharding{.tensor = 4, .sequence_parallel = true};
  const auto count = [&](Pass pass, Collective collective) {
    const Work work = work_of(small(), {2, 16}, sharding, pass);
    return std::ranges::count_if(work.transfers,
                                 [&](const Transfer& transfer) { return transfer.collective == collective; });
  };
  EXPECT_EQ(count(Pass::kForward, Collective::kAllGather), 2);
  EXPECT_EQ(count(Pass::kForward, Collective::kReduceScatter), 2);
  // Backward gathers the inputs again for the weight gradients.
  EXPECT_EQ(count(Pass::kBackward, Collective::kAllGather), 4);
  EXPECT_EQ(count(Pass::kBackward, Collective::kReduceScatter), 2);
  const Work backward = work_of(small(), {2, 16}, sharding, Pass::kBackward);
  EXPECT_EQ(std::ranges::count_if(backward.transfers, &Transfer::beside_product), 4) << "not what enters the block";
}

TEST(Operators, ExpertsDispatchEveryChoiceOnce) {
  const Work work = work_of(small(true), {2, 16}, {.expert = 4}, Pass::kForward);
  // There and back: 32 tokens · 2 choices · 64 wide · 2 bytes.
  EXPECT_DOUBLE_EQ(moved(work, Axis::kExpert), 2.0 * 32 * 2 * 64 * 2);
  // Two of eight experts here take 8 tokens each of every 32 · 2 choices of four ranks.
  const auto grouped =
      std::ranges::find_if(work.operators, [](const Operator& op) { return op.kind == OpKind::kGroupedGemm; });
  ASSERT_NE(grouped, work.operators.end());
  EXPECT_DOUBLE_EQ(grouped->groups, 2);
  EXPECT_DOUBLE_EQ(grouped->m, 32);
  EXPECT_DOUBLE_EQ(flops(work, OpKind::kGroupedGemm), 2.0 * 32 * 2 * 3 * 64 * 48);
}

TEST(Operators, ContextParallelPassesKeysAndValuesOn) {
  const Work work = work_of(small(), {1, 32}, {.context = 4}, Pass::kForward);
  // Three blocks of 8 tokens · 4 heads · 16 values · 2 bytes.
  EXPECT_DOUBLE_EQ(moved(work, Axis::kContext), 3.0 * 8 * 4 * 16 * 2);
}

TEST(Operators, AllToAllsOverHeadsMoveAllFourOperands) {
  // 32 tokens; of 8 query and 4 key-value heads of 8 values a rank of four gets 2 and 1; of eight, 1 and 1 again, for
  // then every key-value head goes to two ranks.
  for (const Pass pass : {Pass::kForward, Pass::kBackward}) {
    const Work four = work_of(small(), {1, 32}, {.context = 4, .exchanges_heads = true}, pass);
    ASSERT_EQ(four.transfers.size(), 4U);
    for (const Transfer& transfer : four.transfers) EXPECT_EQ(transfer.collective, Collective::kAllToAll);
    EXPECT_DOUBLE_EQ(moved(four, Axis::kContext), 32.0 * (2 + 1 + 1 + 2) * 8 * 2);
    const Work eight = work_of(small(), {1, 32}, {.context = 8, .exchanges_heads = true}, pass);
    EXPECT_DOUBLE_EQ(moved(eight, Axis::kContext), 32.0 * (1 + 1 + 1 + 1) * 8 * 2);
    // The pairs of attention are divided as by a ring, in whole sequences of fewer heads.
    const Work ring = work_of(small(), {1, 32}, {.context = 4}, pass);
    EXPECT_DOUBLE_EQ(flops(four, OpKind::kAttention), flops(ring, OpKind::kAttention));
    const auto attention = std::find_if(four.operators.begin(), four.operators.end(),
                                        [](const Operator& op) { return op.kind == OpKind::kAttention; });
    EXPECT_DOUBLE_EQ(attention->q_length, 32);
    EXPECT_DOUBLE_EQ(attention->heads, 2);
  }
  EXPECT_TRUE(work_of(small(), {1, 32}, {.exchanges_heads = true}, Pass::kForward).transfers.empty());
}

TEST(Operators, NarrowFormatsQuantiseWhatEntersAProduct) {
  const Architecture model = small();
  const Work work = layer_work(model, model.kinds.front(), {1, 16}, {}, {}, base::Dtype::kFp8, Pass::kForward);
  EXPECT_EQ(std::ranges::count_if(work.operators, [](const Operator& op) { return op.name == OpName::kQuantize; }), 4);
}

TEST(Operators, ModelFlopsAreSixPerActiveWeightPlusAttention) {
  const Architecture model = small();
  const Parameters counts = parameters(model);
  const double attention = 2 * 8 * 16 * 32.0;
  EXPECT_DOUBLE_EQ(model_flops_per_token(model, 32, false), 6 * (counts.total - counts.embedding + attention));
}

TEST(Operators, ShardsSumToTheWhole) {
  rc::check([] {
    const bool experts = *rc::gen::arbitrary<bool>();
    const Architecture model = small(experts);
    const int tensor = *rc::gen::element(1, 2, 4);
    const int context = *rc::gen::element(1, 2, 4);
    const Batch batch{*rc::gen::inRange<std::int64_t>(1, 5), 16 * *rc::gen::inRange<std::int64_t>(1, 9)};
    const Pass pass = *rc::gen::element(Pass::kForward, Pass::kBackward);
    const Work whole = work_of(model, batch, {}, pass);
    const Work part = work_of(model, batch, {.tensor = tensor, .context = context, .sequence_parallel = true}, pass);
    for (const OpKind kind : {OpKind::kGemm, OpKind::kAttention, OpKind::kGroupedGemm}) {
      RC_ASSERT(std::abs(flops(part, kind) * tensor * context - flops(whole, kind)) <= 1e-9 * flops(whole, kind));
    }
  });
}

TEST(Operators, WorkGrowsWithTokensAndNeverIsNegative) {
  rc::check([] {
    const Architecture model = small(*rc::gen::arbitrary<bool>());
    const std::int64_t length = *rc::gen::inRange<std::int64_t>(1, 500);
    const Pass pass = *rc::gen::element(Pass::kForward, Pass::kBackward);
    const Work one = work_of(model, {1, length}, {}, pass);
    const Work two = work_of(model, {2, length}, {}, pass);
    for (std::size_t i = 0; i < one.operators.size(); ++i) {
      RC_ASSERT(one.operators[i].bytes >= 0);
      RC_ASSERT(std::abs(two.operators[i].flops - 2 * one.operators[i].flops) <= 1e-9 * two.operators[i].flops);
    }
  });
}

}  // namespace
}  // namespace headrace::workload
