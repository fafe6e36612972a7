// SPDX-License-Identifier: Apache-2.0
#include "workload/activations.h"

#include <gtest/gtest.h>

namespace headrace::workload {
namespace {

/// Width 8, 2 heads of 4, no MLP: a layer on whose ends tests put what they need. In 16 bit with everything fused it
/// keeps per token both norms' inputs (32), the projections' input (16), queries, keys, values and output (64),
/// log-sum-exp (8) = 120 bytes.
Architecture small_model() {
  Architecture model;
  model.hidden = 8;
  model.vocabulary = 32;
  LayerKind kind;
  kind.mixer.heads = kind.mixer.kv_heads = 2;
  kind.mixer.head_dim = kind.mixer.value_dim = 4;
  model.kinds = {kind};
  model.layers = {0};
  return model;
}

Retention fused() {
  Retention retention;
  retention.fusion = {};
  return retention;
}

constexpr Batch kFourTokens{1, 4};

LayerActivations kept(const Architecture& model, const Sharding& sharding = {}, const Retention& retention = fused()) {
  return layer_activations(model, model.kinds[0], kFourTokens, sharding, retention);
}

TEST(Activations, AttentionKeepsItsOperands) {
  EXPECT_DOUBLE_EQ(kept(small_model()).none, 4 * 120);
  EXPECT_DOUBLE_EQ(kept(small_model()).full, 4 * 16);
}

// One key head for both query heads: keys and values 16 less; repeated for every head they are back.
TEST(Activations, GroupedKeysAreSmallerUnlessRepeated) {
  Architecture model = small_model();
  model.kinds[0].mixer.kv_heads = 1;
  EXPECT_DOUBLE_EQ(kept(model).none, 4 * (120 - 16));
  Retention repeats = fused();
  repeats.repeats_keys = true;
  EXPECT_DOUBLE_EQ(kept(model, {}, repeats).none, 4 * 120);
}

// Two context ranks with a head each: the output is kept in both layouts (16), queries, keys and values arrive beside
// what was sent (48). A lone key-value head goes to both ranks.
TEST(Activations, AllToAllsOverHeadsKeepTheOutputTwice) {
  Architecture model = small_model();
  const Sharding exchanged{.context = 2, .exchanges_heads = true};
  EXPECT_DOUBLE_EQ(kept(model, exchanged).none, 2 * (120 + 16));
  EXPECT_DOUBLE_EQ(kept(model, exchanged).exchange, 2 * 48);
  EXPECT_DOUBLE_EQ(kept(model, {.context = 2}).none, 2 * 120);
  model.kinds[0].mixer.kv_heads = 1;
  EXPECT_DOUBLE_EQ(kept(model, exchanged).none, 2 * (120 + 16));
  EXPECT_DOUBLE_EQ(kept(model, {.context = 2}).none, 2 * (120 - 16));
}

// An MLP of 16 adds its input (16), gate and up (64), their product (32); unfused the activated gate (32) as well.
TEST(Activations, GatedMlpKeepsThreeWidthsOrFour) {
  Architecture model = small_model();
  model.kinds[0].feed_forward.hidden = 16;
  EXPECT_DOUBLE_EQ(kept(model).none, 4 * (120 + 112));
  Retention eager = fused();
  eager.fusion.activation = false;
  EXPECT_DOUBLE_EQ(kept(model, {}, eager).none, 4 * (120 + 112 + 32));
}

// 4 experts of 4, 2 for each token: router logits and probabilities in fp32 (32), the MLP's input (16), two copies of a
// token (32), in each copy gate and up (16) and their product (8).
TEST(Activations, ExpertsKeepACopyOfATokenForEach) {
  Architecture model = small_model();
  model.kinds[0].feed_forward.experts = 4;
  model.kinds[0].feed_forward.experts_per_token = 2;
  model.kinds[0].feed_forward.expert_hidden = 4;
  EXPECT_DOUBLE_EQ(kept(model).none, 4 * (120 + 32 + 16 + 32 + 2 * 24));
}

// Latents of 6 and 4 with their norms (20 + 20), queries and keys of 6 per head, values of 4: 24 + 24 + 16 + 16;
// log-sum-exp 8.
TEST(Activations, LatentAttentionKeepsLatentsAndFullHeads) {
  Architecture model = small_model();
  Mixer& mixer = model.kinds[0].mixer;
  mixer.kind = MixerKind::kLatent;
  mixer.head_dim = 6;
  mixer.rope_dim = 2;
  mixer.q_lora_rank = 6;
  mixer.kv_lora_rank = 4;
  EXPECT_DOUBLE_EQ(kept(model).none, 4 * (32 + 16 + 40 + 80 + 8));
}

// One key of 4 that is also the value: 24 bytes fewer than two heads of each. A query latent of 6 with its norm's input
// and output: 24. Outputs pass through 2 groups of rank 3: 12.
TEST(Activations, SharedKeysAndRanksBetween) {
  Architecture model = small_model();
  Mixer& mixer = model.kinds[0].mixer;
  mixer.kv_heads = 1;
  mixer.shared_kv = true;
  EXPECT_DOUBLE_EQ(kept(model).none, 4 * (120 - 16 - 8));
  mixer.q_lora_rank = 6;
  EXPECT_DOUBLE_EQ(kept(model).none, 4 * (120 - 24 + 24));
  mixer.output_groups = 2;
  mixer.output_rank = 3;
  EXPECT_DOUBLE_EQ(kept(model).none, 4 * (120 - 24 + 24 + 12));
}

// Two tensor ranks halve what heads hold; with sequence parallel what norms hold as well.
TEST(Activations, TensorRanksDivideHeadsAndSequenceParallelTheRest) {
  Sharding sharding;
  sharding.tensor = 2;
  EXPECT_DOUBLE_EQ(kept(small_model(), sharding).none, 4 * (48 + 36));
  sharding.sequence_parallel = true;
  EXPECT_DOUBLE_EQ(kept(small_model(), sharding).none, 4 * (24 + 36));
}

// Adapters on queries and values keep the projections' input, and with dropout a copy (16) and its mask (8).
TEST(Activations, FrozenMatricesKeepNoInputs) {
  Architecture model = small_model();
  model.kinds[0].feed_forward.hidden = 16;
  Retention adapters = fused();
  adapters.trained = Trained::kQueryValueAdapters;
  EXPECT_DOUBLE_EQ(kept(model, {}, adapters).none, 4 * (120 + 64));
  adapters.adapter_dropout = true;
  EXPECT_DOUBLE_EQ(kept(model, {}, adapters).none, 4 * (120 + 64 + 24));
}

// Rank 3 beside the query (8 by 8) and value matrix (8 by 8), then beside all four of attention and three of an MLP
// of 16.
TEST(Activations, CountsAdapters) {
  Architecture model = small_model();
  model.kinds[0].feed_forward.hidden = 16;
  EXPECT_DOUBLE_EQ(adapter_parameters(model, model.kinds[0], Trained::kQueryValueAdapters, 3), 3 * 32);
  EXPECT_DOUBLE_EQ(adapter_parameters(model, model.kinds[0], Trained::kLinearAdapters, 3), 3 * (64 + 72));
}

}  // namespace
}  // namespace headrace::workload
