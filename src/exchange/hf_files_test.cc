// SPDX-License-Identifier: Apache-2.0
// Reads whole folders of config files: our own in tests/data, and those others published, where ../shared is there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "base/value.h"
#include "exchange/hf_config.h"
#include "workload/engine_view.h"
#include "workload/parameters.h"

namespace headrace::exchange {
namespace {

namespace fs = std::filesystem;

const fs::path kOwn = fs::path(HEADRACE_SOURCE_DIR) / "tests/data/hf_configs";

fs::path shared() {
  const char* named = std::getenv("HEADRACE_SHARED");
  return (named != nullptr ? fs::path(named) : fs::path(HEADRACE_SOURCE_DIR) / ".." / "shared") / "evidence";
}

base::Result<workload::Architecture> read_file(const fs::path& path) {
  TRY(const std::string text, base::DiskFileSystem().read(path.string()));
  return read_hf_config(text, path.filename().string());
}

struct Stated {
  std::string file;
  double total = 0;
};

// Counts that the makers or the hub print for these models, to the last parameter.
TEST(HfFiles, OwnFilesCountExactly) {
  const std::vector<Stated> stated = {
      {"state-spaces__mamba-130m-hf.json", 129135360},       {"mistralai__Mamba-Codestral-7B-v0.1.json", 7285403648},
      {"tiiuae__falcon-mamba-7b-instruct.json", 7272665088}, {"Zyphra__Zamba2-7B-instruct.json", 7356749648},
      {"databricks__dbrx-instruct.json", 131596523520},      {"Qwen__Qwen3-Next-80B-A3B-Instruct.json", 79674391296},
      {"lmsys__gpt-oss-20b-bf16.json", 20914757184}};
  for (const Stated& model : stated) {
    const auto read = read_file(kOwn / model.file);
    ASSERT_TRUE(read) << model.file << " " << read.error().what.id;
    EXPECT_DOUBLE_EQ(workload::parameters(*read).total, model.total) << model.file;
  }
}

// The checkpoint of MiMo-7B holds its prediction block: 15,666,819,072 bytes.
TEST(HfFiles, CheckpointHoldsThePredictionBlock) {
  const auto read = read_file(kOwn / "XiaomiMiMo__MiMo-7B-RL.json");
  ASSERT_TRUE(read);
  EXPECT_DOUBLE_EQ(workload::checkpoint_bytes(*read), 15666819072.0);
}

std::string raw(const base::Value& facts, std::string_view key) { return facts.find(key)->raw(); }

/// All facts of a serving engine's own reading, against ours.
void expect_view(const std::string& name, const base::Value& facts, const workload::EngineView& view) {
  EXPECT_EQ(view.architectures.front(), facts.find("architectures")->items().front().raw()) << name;
  EXPECT_EQ(view.model_type, raw(facts, "model_type")) << name;
  EXPECT_EQ(view.text_model_type, raw(facts, "text_model_type")) << name;
  EXPECT_EQ(std::to_string(view.hidden_size), raw(facts, "hidden_size")) << name;
  EXPECT_EQ(std::to_string(view.layers), raw(facts, "total_num_hidden_layers")) << name;
  EXPECT_EQ(std::to_string(view.heads), raw(facts, "total_num_attention_heads")) << name;
  EXPECT_EQ(std::to_string(view.head_size), raw(facts, "head_size")) << name;
  EXPECT_EQ(std::to_string(view.vocabulary), raw(facts, "vocab_size")) << name;
  EXPECT_EQ(std::to_string(view.kv_heads), raw(facts, "total_num_kv_heads")) << name;
  EXPECT_EQ(std::to_string(view.experts), raw(facts, "num_experts")) << name;
  EXPECT_EQ(view.latent, raw(facts, "is_deepseek_mla") == "true") << name;
  EXPECT_EQ(view.multimodal, raw(facts, "is_multimodal_model") == "true") << name;
  EXPECT_EQ(view.dtype, raw(facts, "dtype")) << name;
}

TEST(HfFiles, ServingEngineReadsTheSame) {
  const auto text = base::DiskFileSystem().read((shared() / "vllm_arch_groundtruth.json").string());
  if (!text) GTEST_SKIP() << "no ../shared beside the checkout";
  const auto truth = base::read_json(*text, "truth");
  ASSERT_TRUE(truth);
  for (const base::Value::Member& model : truth->members()) {
    std::string file = model.key + ".json";
    file.replace(file.find('/'), 1, "__");
    const fs::path own = kOwn / file;
    const auto read = read_file(fs::exists(own) ? own : shared() / "hf_configs" / file);
    ASSERT_TRUE(read) << file << " " << read.error().what.id;
    expect_view(model.key, model.value, workload::engine_view(*read));
  }
}

}  // namespace
}  // namespace headrace::exchange
