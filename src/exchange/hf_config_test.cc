// SPDX-License-Identifier: Apache-2.0
#include "exchange/hf_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workload/parameters.h"

namespace headrace::exchange {
namespace {

using workload::Architecture;

Architecture read(const std::string& json) {
  auto model = read_hf_config(json, "config.json");
  if (!model) ADD_FAILURE() << model.error().what.id << " " << ::testing::PrintToString(model.error().what.arguments);
  return model.value_or(Architecture{});
}

base::Error refusal(const std::string& json) {
  auto model = read_hf_config(json, "config.json");
  if (model) ADD_FAILURE() << "read without an error";
  return model ? base::Error{} : model.error();
}

// A Llama-like system: hidden 8, 2 layers of 4 heads and 2 key-value heads of 2, MLP 16, vocabulary 32.
// Layer: queries 64, keys and values 32 each, output 64, MLP 3 * 128, norms 16 = 592. Embedding and head 256 each,
// final norm 8.
constexpr const char* kSmallLlama =
    R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 8, "num_hidden_layers": 2,
  "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 16, "vocab_size": 32, "torch_dtype": "bfloat16"})";

TEST(HfConfig, CountsASmallLlama) {
  const Architecture model = read(kSmallLlama);
  EXPECT_DOUBLE_EQ(workload::parameters(model).total, 2 * 592 + 2 * 256 + 8);
  EXPECT_EQ(model.layers, (std::vector<int>{0, 0}));
  EXPECT_TRUE(model.guesses.empty());
}

TEST(HfConfig, UnknownTypeIsReadWhenItsFieldsAreThere) {
  const Architecture model =
      read(R"({"model_type": "brand_new", "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "intermediate_size": 16, "vocab_size": 32, "torch_dtype": "bfloat16"})");
  EXPECT_DOUBLE_EQ(workload::parameters(model).total, 2 * 592 + 2 * 256 + 8);
  EXPECT_THAT(model.guesses, ::testing::ElementsAre("hf.unknown_type"));
}

TEST(HfConfig, UnknownTypeNamesWhatIsMissing) {
  const base::Error error =
      refusal(R"({"model_type": "brand_new", "hidden_size": 8, "num_hidden_layers": 2, "vocab_size": 32})");
  EXPECT_EQ(error.what.id, "hf.missing_fields");
  EXPECT_THAT(error.what.arguments, ::testing::ElementsAre("brand_new", "intermediate_size, num_attention_heads"));
}

TEST(HfConfig, RefusesWhatIsNoDecoderOrNoConfig) {
  EXPECT_EQ(refusal(R"({"model_type": "whisper"})").what.id, "hf.not_a_decoder");
  EXPECT_EQ(refusal("[1, 2]").what.id, "hf.not_a_config");
  EXPECT_EQ(refusal(R"({"model_type": "llama", "hidden_size": -4})").where.line, 1);
  EXPECT_EQ(refusal(R"({"model_type": "llama", "num_hidden_layers": 1000000})").what.id, "hf.out_of_range");
  EXPECT_EQ(refusal(R"({"model_type": "llama", "hidden_size": 1e17})").where.column, 40);
}

TEST(HfConfig, NestedLanguageModelTakesItsOwnClassDefaults) {
  const Architecture model = read(
      R"({"model_type": "llava", "text_config": {"model_type": "llama", "vocab_size": 32064}, "vision_config": {}})");
  EXPECT_EQ(model.hidden, 4096);
  EXPECT_EQ(model.layers.size(), 32U);
  EXPECT_TRUE(model.multimodal);
}

// The small Llama with attention in FP8 (192 codes, two scales of 4 bytes for each of 4 matrices: 224) and the MLP in
// FP4 (3 * 64 codes, a scale for each output, 8 bytes a matrix: 256); norms 32, embedding and head 512 each, final
// norm 16.
TEST(HfConfig, MixedFormatsCountPartByPart) {
  std::string json = kSmallLlama;
  json.pop_back();
  json +=
      R"(, "quantization_config": {"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION", "quantized_layers": {
    "model.layers.0.self_attn.q_proj": {"quant_algo": "FP8"}, "model.layers.0.mlp.up_proj": {"quant_algo": "W4A16_NVFP4"}}}})";
  EXPECT_DOUBLE_EQ(workload::checkpoint_bytes(read(json)), 2 * (224 + 256 + 32) + 2 * 512 + 16);
}

// DeepSeek-like: first layer dense, then experts; latent attention without a query latent.
TEST(HfConfig, LeadingDenseLayersThenExperts) {
  const Architecture model = read(
      R"({"model_type": "deepseek_v2", "hidden_size": 8, "num_hidden_layers": 3, "num_attention_heads": 2, "intermediate_size": 16,
    "moe_intermediate_size": 4, "n_routed_experts": 6, "num_experts_per_tok": 2, "n_shared_experts": 2, "first_k_dense_replace": 1, "moe_layer_freq": 1,
    "kv_lora_rank": 4, "q_lora_rank": null, "qk_nope_head_dim": 3, "qk_rope_head_dim": 1, "v_head_dim": 2, "vocab_size": 32, "torch_dtype": "bfloat16"})");
  EXPECT_EQ(model.layers, (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(model.kinds[1].feed_forward.shared_hidden, 8);
  // Attention: q 8*8, down 8*5, latent norm 4, up 4*2*(3+2), out 4*8 = 180. Norms 16. Dense 3*128. Experts 6*96, router
  // 48, shared 3*64.
  EXPECT_DOUBLE_EQ(workload::layer_parameters(model, model.kinds[0]).total(), 180 + 16 + 384);
  EXPECT_DOUBLE_EQ(workload::layer_parameters(model, model.kinds[1]).total(), 180 + 16 + 576 + 48 + 192);
}

}  // namespace
}  // namespace headrace::exchange
