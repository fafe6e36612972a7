// SPDX-License-Identifier: Apache-2.0
#include "verbs/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/value.h"

namespace headrace::verbs {
namespace {

class MemoryFiles : public base::FileSystem {
 public:
  std::map<std::string, std::string> files;
  [[nodiscard]] base::Result<std::string> read(const std::string& path) const override {
    const auto found = files.find(path);
    if (found == files.end()) return base::input_error({path, 0, 0}, "files.missing", {path});
    return found->second;
  }
  [[nodiscard]] base::Result<void> write(const std::string&, std::string_view) const override { return {}; }
};

// Hidden 8, 2 layers of 4 heads and 2 key-value heads of 2, MLP 16, vocabulary 32: 592 a layer, 256 embedding and head
// each, norm 8.
ModelImport small() {
  MemoryFiles disk;
  disk.files["config.json"] =
      R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 8, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 16, "vocab_size": 32, "torch_dtype": "bfloat16"})";
  return import_hf_config("config.json", disk).value_or(ModelImport{});
}

TEST(Import, JsonHasCountsAndTheEngineView) {
  const auto json = base::read_json(import_json(small()), "out");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->find("parameters")->find("total")->raw(), "1704");
  EXPECT_EQ(json->find("parameters")->find("active")->raw(), "1704");
  const base::Value& architecture = *json->find("architecture");
  EXPECT_EQ(architecture.find("head_size")->raw(), "2");
  EXPECT_EQ(architecture.find("total_num_kv_heads")->raw(), "2");
  EXPECT_EQ(architecture.find("dtype")->raw(), "torch.bfloat16");
  EXPECT_EQ(architecture.find("layer_kinds")->items().front().find("layers")->raw(), "2");
}

TEST(Import, TextSaysTheSameInBothTongues) {
  for (const report::Tongue tongue : {report::Tongue::kEnglish, report::Tongue::kChinese}) {
    const auto language = report::Language::load(tongue);
    ASSERT_TRUE(language);
    const std::string text = import_text(small(), *language);
    EXPECT_THAT(text, ::testing::HasSubstr("llama"));
    EXPECT_THAT(text, ::testing::HasSubstr("2 × "));
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("import.")));
  }
}

TEST(Import, MissingFileIsAnError) { EXPECT_FALSE(import_hf_config("nowhere.json", MemoryFiles())); }

}  // namespace
}  // namespace headrace::verbs
