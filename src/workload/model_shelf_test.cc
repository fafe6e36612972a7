// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/embedded.h"
#include "workload/model_file.h"
#include "workload/parameters.h"

namespace headrace::workload {
namespace {

/// A count printed like the stated one: as many decimals, the same letter.
std::string printed_like(double count, const std::string& stated) {
  const char letter = stated.back();
  const double scale = letter == 'T' ? 1e12 : letter == 'B' ? 1e9 : 1e6;
  const std::size_t dot = stated.find('.');
  const int decimals = dot == std::string::npos ? 0 : static_cast<int>(stated.size() - dot - 2);
  return fmt::format("{:.{}f}{}", count / scale, decimals, letter);
}

TEST(ModelShelf, EveryModelReadsAndHasItsStatedCount) {
  int models = 0;
  for (const base::EmbeddedFile& file : base::embedded_under("catalog/models/")) {
    const auto read = read_models(file.text, std::string(file.path));
    ASSERT_TRUE(read) << file.path << ": " << read.error().what.id
                      << ::testing::PrintToString(read.error().what.arguments) << " " << read.error().where.line;
    for (const Model& model : *read) {
      ++models;
      const double count = parameters(model.architecture).total;
      const std::string printed = model.stated.empty() ? "" : printed_like(count, model.stated);
      EXPECT_EQ(printed, model.stated) << model.id << " counts " << count;
    }
  }
  EXPECT_GE(models, 60);
}

TEST(ModelShelf, NamesAreUnique) {
  for (const base::EmbeddedFile& file : base::embedded_under("catalog/models/")) {
    const auto read = read_models(file.text, std::string(file.path));
    ASSERT_TRUE(read);
    for (const Model& model : *read) {
      for (const std::string& name : model.aliases) {
        const auto found = built_in_model(name, {});
        ASSERT_TRUE(found) << name;
        EXPECT_EQ(found->id, model.id) << name;
      }
    }
  }
}

TEST(ModelShelf, NamesFoldAndOwnersDrop) {
  for (const char* name : {"meta-llama/Llama-3.1-70B", "llama 3.1 70b", "LLAMA3_70B", "Meta-Llama-3-70B-Instruct"}) {
    const auto model = built_in_model(name, {});
    ASSERT_TRUE(model) << name;
    EXPECT_EQ(model->id, "llama-3-70b");
  }
}

TEST(ModelShelf, UnknownNameOffersTheNearest) {
  const auto model = built_in_model("lama-2-7b", {"my.yaml", 3, 4});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().what.id, "model.unknown");
  EXPECT_EQ(model.error().where.line, 3);
  ASSERT_TRUE(model.error().hint);
  EXPECT_THAT(model.error().hint->arguments.front(), ::testing::StartsWith("llama-2-7b, "));
}

TEST(ModelFile, RefusesWhatIsNotSourcedOrNotKnown) {
  const auto error = [](const char* yaml) {
    const auto read = read_model(yaml, "m.yaml");
    return read ? std::string("read") : read.error().what.id;
  };
  EXPECT_EQ(error("models: {a: {hidden: 8, layers: 1, heads: 2, mlp: 16, vocabulary: 32}}"), "model.no_source");
  EXPECT_EQ(error("models: {a: {sources: [x], hidden: 8, layers: 1, mlp: 16, vocabulary: 32}}"), "model.no_heads");
  EXPECT_EQ(error("models: {}"), "model.not_one");
  EXPECT_NE(error("models: {a: {sources: [x], hidden: 8, layers: 1, heads: 2, mlp: 16, vocabulary: 32, hiden: 9}}"),
            "read");
}

// Hidden 8, one layer of 2 heads of 4, a gated MLP of 16, vocabulary 32: 4*64 + 3*128 + 16 norms + 2*256 + 8.
TEST(ModelFile, CountsASmallModel) {
  const auto model =
      read_model("models: {a: {sources: [x], hidden: 8, layers: 1, heads: 2, mlp: 16, vocabulary: 32}}", "m.yaml");
  ASSERT_TRUE(model);
  EXPECT_DOUBLE_EQ(parameters(model->architecture).total, 256 + 384 + 16 + 512 + 8);
}

}  // namespace
}  // namespace headrace::workload
