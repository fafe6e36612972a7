// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "process.h"
#include "schema.h"

namespace headrace::tests {
namespace {

constexpr int kSeconds = 120;

std::string file_text(const std::string& path) {
  std::ifstream file(std::filesystem::path(HEADRACE_SOURCE_DIR) / path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Printed headrace(std::vector<std::string> words) {
  words.insert(words.begin(), HEADRACE_BINARY);
  return run_process(words, std::filesystem::temp_directory_path().string(), kSeconds);
}

base::Value json(const std::string& text) {
  auto value = base::read_json(text, "output");
  EXPECT_TRUE(value) << text.substr(0, 200);
  return value ? *value : base::Value();
}

void expect_schema(const std::vector<std::string>& words, const std::string& schema) {
  const Printed printed = headrace(words);
  const base::Value rules = json(file_text("docs/schema/" + schema));
  EXPECT_THAT(schema_errors(json(printed.out), rules), testing::IsEmpty()) << testing::PrintToString(words);
}

TEST(Schema, HoldsOutcomes) {
  expect_schema({"plan", "llama3-70b-pretrain", "--json"}, "outcome.json");
  expect_schema({"plan", "llama3-70b-too-large", "--json"}, "outcome.json");
  expect_schema({"plan", "--model", "llama-3-8b", "--on", "dgx-h100", "--json"}, "outcome.json");
  expect_schema({"simulate", "llama3-8b-lora", "--json"}, "outcome.json");
  expect_schema({"explain", "gpt2-xl-v100", "--json", "--lang", "zh"}, "outcome.json");
  expect_schema({"validate", "--json"}, "validation.json");
}

// A schema that lets everything through would prove nothing: the check must find a missing, an unknown and a mistyped
// member.
TEST(Schema, RefusesWhatItShould) {
  const base::Value schema = json(
      R"({"type": "object", "required": ["a"], "additionalProperties": false, "properties": {"a": {"type": "integer"}}})");
  EXPECT_THAT(schema_errors(json(R"({"a": 1})"), schema), testing::IsEmpty());
  EXPECT_THAT(schema_errors(json(R"({})"), schema), testing::ElementsAre("$: lacks a"));
  EXPECT_THAT(schema_errors(json(R"({"a": 1, "b": 2})"), schema), testing::ElementsAre("$: unknown b"));
  EXPECT_THAT(schema_errors(json(R"({"a": "1"})"), schema), testing::SizeIs(1));
}

TEST(Json, IsTheSameForAnyNumberOfThreads) {
  const std::regex seconds("\"seconds\": [0-9.e-]+,\n *\"exhaustive\"");
  const auto with = [&](const char* threads) {
    return std::regex_replace(headrace({"plan", "qwen3-235b-moe", "--json", "--threads", threads}).out, seconds, "");
  };
  const std::string one = with("1");
  EXPECT_FALSE(one.empty());
  EXPECT_EQ(one, with("2"));
  EXPECT_EQ(one, with("7"));
}

// The parts of a step sum to it, those of the memory to its peak, and a plan's choices stand best first.
TEST(Json, AddsUp) {
  const base::Value outcome = json(headrace({"plan", "llama3-70b-pretrain", "--json"}).out);
  double before = 0;
  for (const base::Value& choice : outcome.find("choices")->items()) {
    const double step = *choice.find("step_time")->find("value")->number();
    double sum = 0;
    for (const base::Value& part : choice.find("breakdown")->items()) sum += *part.find("value")->number();
    EXPECT_NEAR(sum, step, 1e-9 * step);
    EXPECT_LE(before, step);
    before = step;
    double held = 0;
    const base::Value* memory = choice.find("memory_per_gpu");
    for (const char* part : {"weights", "gradients", "optimizer", "activations", "communication", "other"})
      held += *memory->find(part)->number();
    EXPECT_NEAR(held, *memory->find("peak")->find("value")->number(), 1e-9 * held);
  }
}

/// What is wrong with the estimates below a value: the paths of those without an interval around them or a basis.
void find_bare_estimates(const base::Value& value, const std::string& path, std::vector<std::string>& bare, int& seen) {
  // Parts of a breakdown have a name: they share their total's interval.
  const base::Value* figure = value.find("name") ? nullptr : value.find("value");
  if (figure && (value.find("unit") || value.find("low"))) {
    ++seen;
    const auto end = [&](const char* name) {
      const base::Value* found = value.find(name);
      return found ? found->number().value_or(std::nan("")) : std::nan("");
    };
    const double at = figure->number().value_or(std::nan(""));
    const bool exact = at == 0 || (end("low") == at && end("high") == at);
    if (!exact && !(end("low") < at && at < end("high"))) bare.push_back(path + ": no interval");
    if (!value.find("basis") || value.find("basis")->text().value_or("").empty()) bare.push_back(path + ": no basis");
  }
  for (const auto& member : value.members()) find_bare_estimates(member.value, path + "." + member.key, bare, seen);
  for (const base::Value& item : value.items()) find_bare_estimates(item, path + "[]", bare, seen);
}

TEST(Json, EveryEstimateHasAnIntervalAndABasis) {
  const auto folder = std::filesystem::path(HEADRACE_SOURCE_DIR) / "scenarios";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    for (const char* verb : {"plan", "simulate", "explain"}) {
      const base::Value outcome = json(headrace({verb, file.path().stem().string(), "--json"}).out);
      std::vector<std::string> bare;
      int seen = 0;
      find_bare_estimates(outcome, "$", bare, seen);
      EXPECT_THAT(bare, testing::IsEmpty()) << verb << " " << file.path();
      EXPECT_GE(seen, 6) << verb << " " << file.path();
      const base::Value* facts = outcome.find("provenance");
      ASSERT_NE(facts, nullptr);
      for (const base::Value& fact : facts->items())
        EXPECT_FALSE(fact.find("source")->text().value_or("").empty()) << verb << " " << file.path();
    }
  }
}

TEST(Docs, ReferenceIsWhatTheProgramSays) {
  EXPECT_EQ(headrace({"reference"}).out, file_text("docs/reference.md"))
      << "write it anew: build/headrace reference > docs/reference.md";
}

/// The words of a command line of a document; single quotes group.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  const std::regex word("'([^']*)'|(\\S+)");
  for (std::sregex_iterator it(line.begin(), line.end(), word), end; it != end; ++it)
    words.push_back((*it)[1].matched ? (*it)[1].str() : (*it)[2].str());
  return words;
}

// Every `headrace …` line of the README's code blocks answers. Lines with a file of the reader's own are left out.
TEST(Docs, ReadmeExamplesAnswer) {
  const std::string readme = file_text("README.md");
  const std::regex example("\n *(?:\\$ )?(?:\\./)?(?:build/)?headrace ([a-z][^\n#|<>]*)");
  for (std::sregex_iterator it(readme.begin(), readme.end(), example), end; it != end; ++it) {
    const std::string line = (*it)[1];
    if (std::regex_search(line, std::regex("\\.json|\\.yaml|\\.csv|\\.\\.\\.|…"))) continue;
    EXPECT_LE(headrace(words_of(line)).exit, 1) << line;
  }
}

}  // namespace
}  // namespace headrace::tests
