// SPDX-License-Identifier: Apache-2.0
#include "exchange/hf_family.h"

#include <array>

namespace headrace::exchange {
namespace {

using enum workload::ActiveCount;
using enum workload::NormKind;
using enum HfStructure;

constexpr HfBiases kAttentionBias{.qkv = true, .output = true};
constexpr HfBiases kAllBiases{.qkv = true, .output = true, .mlp = true};

// Facts of the model classes' own configuration and modelling code (Hugging Face transformers 4.57 and 5.0, and the
// code beside the checkpoints).
// clang-format off: one class a row
constexpr HfFamily kFamilies[] = {
    // Llama and those that differ in no weight.
    {.types = "llama Yi LlamaForCausalLM aquila aquila2 xverse skywork deepseek_llama codellama solar mllama_text_model llama_nemotron yuan decilm",
     .sizes = {32000, 4096, 11008, 32, 32, 0, 0}},
    {.types = "arcee", .sizes = {32000, 2560, 18432, 32, 32, 0, 0}, .gated = false},
    {.types = "apertus", .sizes = {131072, 4096, 14336, 32, 32, 0, 0}, .gated = false, .qk_norm = HfQkNorm::kHead},
    {.types = "mistral ministral ministral3 MistralForCausalLM", .sizes = {32000, 4096, 14336, 32, 32, 8, 0}, .windows = HfWindows::kAll, .window = 4096},
    {.types = "mistral4 MistralLarge3ForCausalLM", .sizes = {131072, 4096, 12288, 36, 32, 32, 0}},
    {.types = "mixtral", .sizes = {32000, 4096, 14336, 32, 32, 8, 0}, .windows = HfWindows::kAll, .active_count = kWithBoth},
    {.types = "internlm", .biases = kAttentionBias},
    {.types = "internlm2 internlm3 InternLM2ForCausalLM"},
    {.types = "baichuan BaichuanForCausalLM BaiChuanForCausalLM"},
    {.types = "PanguEmbedded", .biases = kAttentionBias},
    {.types = "smollm3", .sizes = {128256, 2048, 11008, 36, 16, 4, 0}, .tied = true},
    {.types = "minicpm minicpmv MiniCPMForCausalLM", .tied = true},
    {.types = "exaone ExaoneForCausalLM"},
    {.types = "exaone4 exaone_moe", .qk_norm = HfQkNorm::kHead, .windows = HfWindows::kPattern, .window_period = 4},
    {.types = "granite", .sizes = {32000, 4096, 11008, 32, 32, 0, 0}},
    {.types = "granitemoe granitemoeshared granitemoehybrid", .sizes = {32000, 4096, 11008, 32, 32, 0, 0}},
    {.types = "seed_oss", .sizes = {155136, 4096, 27648, 64, 80, 8, 128}, .biases = {.qkv = true}, .reach = HfBiasReach::kQkv},
    {.types = "mimo mimo_v2_flash", .biases = {.qkv = true}, .reach = HfBiasReach::kQkv},
    {.types = "ernie4_5 ernie4_5_moe ernie4_5_vl_moe ernie4_5_vl_moe_text",
     .sizes = {103424, 1024, 3072, 18, 16, 2, 128}, .tied = true, .reach = HfBiasReach::kEverything, .router_bias = true},
    {.types = "hunyuan hunyuan_v1_dense hunyuan_v1_moe hunyuan_dense HunYuanMoEV1ForCausalLM HunYuanDenseV1ForCausalLM", .tied = false},
    {.types = "bailing_moe bailing_moe_v2 bailing_moe_linear BailingMoeForCausalLM BailingMoeV2ForCausalLM", .reach = HfBiasReach::kEverything},
    {.types = "dots1", .qk_norm = HfQkNorm::kHead, .router_bias = true, .active_count = kWithBoth},
    {.types = "phi3 phi3_v phi4mm Phi3ForCausalLM", .sizes = {32064, 3072, 8192, 32, 32, 0, 0}, .windows = HfWindows::kAll},
    {.types = "lfm2 lfm2_moe", .tied = true, .qk_norm = HfQkNorm::kHead},
    {.types = "cogvlm CogVLMForCausalLM CogVLMVideoForCausalLM"},
    // Gemma
    {.types = "gemma", .sizes = {256000, 3072, 24576, 28, 16, 16, 256}, .tied = true},
    {.types = "gemma2", .sizes = {256000, 2304, 9216, 26, 8, 4, 256}, .tied = true, .norms = 4, .windows = HfWindows::kPattern, .window_period = 2, .window = 4096},
    {.types = "gemma3_text gemma3", .sizes = {262208, 2304, 9216, 26, 8, 4, 256}, .tied = true, .norms = 4, .qk_norm = HfQkNorm::kHead,
     .windows = HfWindows::kPattern, .window_period = 6, .window = 4096},
    {.types = "gemma4_text gemma4", .sizes = {262144, 2304, 9216, 30, 8, 4, 256}, .tied = true, .norms = 4, .qk_norm = HfQkNorm::kHead,
     .windows = HfWindows::kPattern, .window_period = 6, .window = 512},
    {.types = "gemma3n_text gemma3n", .sizes = {262400, 2048, 16384, 35, 8, 2, 256}, .tied = true, .norms = 4, .qk_norm = HfQkNorm::kHead,
     .windows = HfWindows::kPattern, .window_period = 5, .window = 512},
    // Qwen
    {.types = "qwen QWenLMHeadModel", .biases = {.qkv = true}},
    {.types = "qwen2 qwen2_vl qwen2_5_vl qwen2_vl_text qwen2_5_vl_text qwen2_5_omni_text Qwen2ForCausalLM",
     .sizes = {151936, 4096, 22016, 32, 32, 32, 0}, .biases = {.qkv = true}, .reach = HfBiasReach::kQkv, .windows = HfWindows::kUpper, .window = 4096},
    {.types = "qwen2_moe", .sizes = {151936, 2048, 5632, 24, 16, 16, 0}, .biases = {.qkv = true}, .reach = HfBiasReach::kQkv, .windows = HfWindows::kUpper,
     .window = 4096, .shared_gate = true, .active_count = kWithBoth},
    {.types = "qwen3 qwen3_vl qwen3_vl_text Qwen3ForCausalLM logics", .sizes = {151936, 4096, 22016, 32, 32, 32, 128}, .qk_norm = HfQkNorm::kHead,
     .windows = HfWindows::kUpper, .window = 4096},
    {.types = "qwen3_moe qwen3_vl_moe qwen3_vl_moe_text qwen3_omni_moe_text", .sizes = {151936, 2048, 6144, 24, 32, 4, 0}, .qk_norm = HfQkNorm::kHead,
     .windows = HfWindows::kUpper, .window = 4096, .active_count = kWithBoth},
    {.types = "qwen3_next", .sizes = {151936, 2048, 5632, 48, 16, 2, 256}, .qk_norm = HfQkNorm::kHead, .shared_gate = true, .linear = HfLinear::kGatedDelta},
    {.types = "qwen3_5 qwen3_5_text qwen3_5_moe qwen3_5_moe_text", .sizes = {248320, 2048, 5632, 40, 16, 2, 256}, .qk_norm = HfQkNorm::kHead,
     .shared_gate = true, .linear = HfLinear::kGatedDelta},
    // DeepSeek and its kin: latent attention by `kv_lora_rank`.
    {.types = "deepseek", .active_count = kWithBoth},
    {.types = "deepseek_v2"},
    {.types = "deepseek_v3 deepseek_v32 kimi_k2 glm_moe_dsa glm4_moe_lite DeepseekV3ForCausalLM", .router_bias = true},
    {.types = "deepseek_v4 deepseek_ref DeepseekV4ForCausalLM", .windows = HfWindows::kAll, .router_bias = true, .sinks = 1},
    {.types = "kimi_linear", .router_bias = true, .linear = HfLinear::kKda},
    {.types = "longcat_flash", .structure = kTwin, .sizes = {131072, 6144, 12288, 28, 64, 0, 0}, .router_bias = true},
    {.types = "minimax_m2 minimax_m3 minimax_m3_vl", .qk_norm = HfQkNorm::kWhole},
    {.types = "minimax_text_01 minimax_m1 minimax MiniMaxText01ForCausalLM", .linear = HfLinear::kLightning, .active_count = kLayersAlone},
    {.types = "step3p5 step3p7 Step3p5ForCausalLM", .qk_norm = HfQkNorm::kHead},
    // GLM
    {.types = "chatglm ChatGLMModel ChatGLMForConditionalGeneration"},
    {.types = "glm", .biases = {.qkv = true}, .reach = HfBiasReach::kQkv},
    {.types = "glm4 glm4v glm4v_text", .norms = 4, .biases = {.qkv = true}, .reach = HfBiasReach::kQkv},
    {.types = "glm4_moe glm4v_moe glm4v_moe_text", .biases = {}, .reach = HfBiasReach::kQkv, .router_bias = true, .active_count = kLayersAlone},
    // Other mixtures of experts
    {.types = "llama4_text llama4", .sizes = {202048, 5120, 8192, 48, 40, 8, 128}, .active_count = kWithBoth},
    {.types = "gpt_oss", .sizes = {201088, 2880, 2880, 36, 64, 8, 64}, .biases = kAttentionBias, .windows = HfWindows::kPattern, .window_period = 2,
     .window = 128, .router_bias = true, .expert_bias = true, .sinks = 1},
    {.types = "phimoe", .sizes = {32064, 4096, 6400, 32, 32, 8, 0}, .norm = kLayer, .norm_bias = true, .active_count = kWithBoth},
    {.types = "olmoe", .sizes = {50304, 2048, 2048, 16, 16, 0, 0}, .qk_norm = HfQkNorm::kWhole, .active_count = kWithBoth},
    {.types = "grok-1 Grok1ModelForCausalLM grok", .norms = 4},
    {.types = "arctic"},
    {.types = "dbrx", .norm = kLayer, .active_count = kWithBoth},
    // Layer norms, and MLPs of two matrices
    {.types = "gpt2", .sizes = {50257, 768, 0, 12, 12, 0, 0}, .tied = true, .norm = kLayer, .norm_bias = true, .gated = false, .biases = kAllBiases,
     .positions = 0, .inner_ratio = 4},
    {.types = "gpt_bigcode", .sizes = {50257, 768, 0, 12, 12, 0, 0}, .tied = true, .norm = kLayer, .norm_bias = true, .gated = false, .biases = kAllBiases,
     .positions = 0, .inner_ratio = 4},
    {.types = "gpt_neo", .sizes = {50257, 2048, 0, 24, 16, 0, 0}, .tied = true, .norm = kLayer, .norm_bias = true, .gated = false,
     .biases = {.output = true, .mlp = true}, .positions = 0, .inner_ratio = 4},
    {.types = "gptj codegen", .norm = kLayer, .norm_bias = true, .norms = 1, .gated = false, .biases = {.mlp = true, .head = true}, .parallel = true,
     .inner_ratio = 4},
    {.types = "gpt_neox", .sizes = {50432, 6144, 24576, 44, 64, 0, 0}, .norm = kLayer, .norm_bias = true, .gated = false, .biases = kAllBiases},
    {.types = "bloom", .sizes = {250880, 64, 0, 2, 8, 0, 0}, .tied = true, .norm = kLayer, .norm_bias = true, .embedding_norm = true, .gated = false,
     .biases = kAllBiases, .inner_ratio = 4, .rotary = false},
    {.types = "opt", .sizes = {50272, 768, 3072, 12, 12, 0, 0}, .tied = true, .norm = kLayer, .norm_bias = true, .gated = false, .biases = kAllBiases,
     .reach = HfBiasReach::kEverything, .positions = 2},
    // Falcon's checkpoints hold a head of their own beside the embedding that it equals.
    {.types = "falcon RefinedWeb RefinedWebModel RWForCausalLM", .norm = kLayer, .norm_bias = true, .gated = false,
     .reach = HfBiasReach::kEverything, .inner_ratio = 4},
    {.types = "mpt MPTForCausalLM", .tied = true, .norm = kLayer, .gated = false, .inner_ratio = 4, .rotary = false},
    {.types = "phi", .sizes = {51200, 2048, 8192, 24, 32, 0, 0}, .norm = kLayer, .norm_bias = true, .norms = 1, .gated = false,
     .biases = {.qkv = true, .output = true, .mlp = true, .head = true}, .parallel = true},
    {.types = "phi-msft mixformer-sequential", .norm = kLayer, .norm_bias = true, .norms = 1, .gated = false,
     .biases = {.qkv = true, .output = true, .mlp = true, .head = true}, .parallel = true, .inner_ratio = 4},
    {.types = "phi3small", .tied = true, .norm = kLayer, .norm_bias = true, .biases = kAllBiases},
    {.types = "starcoder2", .sizes = {49152, 3072, 12288, 30, 24, 2, 0}, .tied = true, .norm = kLayer, .norm_bias = true, .gated = false,
     .biases = kAllBiases, .reach = HfBiasReach::kEverything, .windows = HfWindows::kAll},
    {.types = "persimmon fuyu", .sizes = {262144, 4096, 16384, 36, 64, 0, 0}, .norm = kLayer, .norm_bias = true, .gated = false, .biases = kAllBiases},
    {.types = "nemotron", .sizes = {256000, 6144, 24576, 32, 48, 0, 0}, .norm = kLayer, .norm_bias = true, .gated = false},
    {.types = "stablelm stablelm_epoch", .sizes = {50304, 2560, 6912, 32, 32, 32, 0}, .norm = kLayer, .norm_bias = true},
    {.types = "cohere cohere2", .sizes = {256000, 8192, 22528, 40, 64, 0, 0}, .tied = true, .norm = kLayer, .norms = 1, .parallel = true,
     .windows = HfWindows::kPattern, .window_period = 4},
    {.types = "olmo hf_olmo", .sizes = {50304, 4096, 11008, 32, 32, 0, 0}, .norm = kPlain},
    {.types = "olmo2 olmo3", .sizes = {50304, 4096, 11008, 32, 32, 0, 0}, .qk_norm = HfQkNorm::kWhole, .windows = HfWindows::kPattern, .window_period = 4},
    {.types = "orion", .norm = kLayer, .norm_bias = true},
    {.types = "molmo", .biases = {.qkv = true}, .reach = HfBiasReach::kQkv},
    // State spaces and hybrids
    {.types = "mamba MambaForCausalLM", .structure = kMamba, .sizes = {50280, 768, 0, 32, 0, 0, 0}, .tied = true, .norms = 1},
    {.types = "falcon_mamba", .structure = kMamba, .sizes = {50280, 768, 0, 32, 0, 0, 0}, .tied = true, .norms = 1},
    {.types = "mamba2 Mamba2ForCausalLM", .structure = kMamba2, .sizes = {32768, 4096, 0, 64, 0, 0, 0}, .norms = 1},
    {.types = "jamba", .sizes = {65536, 4096, 14336, 32, 32, 8, 0}},
    {.types = "bamba", .sizes = {128000, 4096, 14336, 32, 32, 8, 0}},
    {.types = "falcon_h1", .sizes = {128000, 4096, 14336, 32, 32, 8, 0}},
    {.types = "nemotron_h NemotronHForCausalLM", .structure = kPattern, .sizes = {131072, 4096, 21504, 52, 32, 8, 128}, .norms = 1, .gated = false, .router_bias = true},
    {.types = "nemotron-nas DeciLMForCausalLM", .structure = kBlocks},
    {.types = "zamba2", .structure = kZamba2, .sizes = {32000, 2560, 0, 54, 32, 0, 0}, .tied = true},
    {.types = "rwkv rwkv5 rwkv6 rwkv7", .structure = kRwkv, .norm = kLayer, .norm_bias = true},
    // Encoders, counted whole
    {.types = "bert roberta xlm-roberta", .structure = kEncoder, .sizes = {30522, 768, 3072, 12, 12, 0, 0}, .tied = true, .norm = kLayer, .norm_bias = true,
     .embedding_norm = true, .gated = false, .biases = kAllBiases, .positions = 0},
    {.types = "albert", .structure = kEncoder, .sizes = {30000, 4096, 16384, 12, 64, 0, 0}, .tied = true, .norm = kLayer, .norm_bias = true,
     .embedding_norm = true, .gated = false, .biases = kAllBiases, .positions = 0},
    {.types = "timm_wrapper Terratorch", .structure = kNothing},
};
// clang-format on

/// Whether a space-separated list holds a word.
bool lists(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = list.find(' ');
    if (list.substr(0, end) == word) return true;
    if (end == std::string_view::npos) return false;
    list.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace

const HfFamily* find_hf_family(std::string_view type) {
  if (type.empty()) return nullptr;
  for (const HfFamily& family : kFamilies) {
    if (lists(family.types, type)) return &family;
  }
  return nullptr;
}

bool is_other_kind(std::string_view type) {
  return lists(
      "bart mbart t5 mt5 umt5 pegasus marian whisper sam sam2 clip siglip vit deit swin convnext resnet dinov2 "
      "wav2vec2 hubert detr clip_vision_model "
      "siglip_vision_model encodec musicgen speecht5 blenderbot led longt5 m2m_100 nllb-moe distilbert electra deberta "
      "deberta-v2 xlnet",
      type);
}

}  // namespace headrace::exchange
