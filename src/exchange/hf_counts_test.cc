// SPDX-License-Identifier: Apache-2.0
// Holds the families of models to the counts that their makers print: tests/data/model_counts.yaml.
#include <gtest/gtest.h>

#include <cmath>

#include "base/files.h"
#include "base/value.h"
#include "exchange/hf_config.h"
#include "workload/parameters.h"

namespace headrace::exchange {
namespace {

struct Row {
  std::string name;
  std::string config;
  std::string total;
  std::string active;   ///< empty when not stated
  std::string differs;  ///< why ours are others; empty when they are not
};

std::string text_of(const base::Value& row, std::string_view key) {
  const base::Value* value = row.find(key);
  return value == nullptr ? "" : value->raw();
}

std::vector<Row> rows() {
  const auto text = base::DiskFileSystem().read(HEADRACE_SOURCE_DIR "/tests/data/model_counts.yaml");
  if (!text) return {};
  const auto root = base::read_yaml(*text, "model_counts.yaml");
  if (!root || root->find("models") == nullptr) return {};
  std::vector<Row> all;
  for (const base::Value::Member& member : root->find("models")->members()) {
    const base::Value& row = member.value;
    all.push_back(
        {member.key, text_of(row, "config"), text_of(row, "total"), text_of(row, "active"), text_of(row, "differs")});
  }
  return all;
}

/// A printed count: 12.1B, 0.30T, 521M, 1234.
struct Printed {
  double value = 0;
  double step = 1;  ///< of its last digit
};

Printed parse(std::string text) {
  double unit = 1;
  if (text.back() == 'T') unit = 1e12;
  if (text.back() == 'B') unit = 1e9;
  if (text.back() == 'M') unit = 1e6;
  if (unit > 1) text.pop_back();
  const std::size_t dot = text.find('.');
  const double fine = dot == std::string::npos ? 1 : std::pow(10, static_cast<double>(text.size() - dot - 1));
  return {std::stod(text) * unit, unit / fine};
}

/// Whether a count agrees with a printed one, rounded or cut off to its digits.
bool prints_as(double count, const std::string& text) {
  const Printed printed = parse(text);
  const double wanted = std::round(printed.value / printed.step);
  return std::round(count / printed.step) == wanted || std::floor(count / printed.step) == wanted;
}

class HfCounts : public ::testing::TestWithParam<Row> {};

TEST_P(HfCounts, AreThePrintedOnes) {
  const Row& row = GetParam();
  const auto model = read_hf_config(row.config, row.name);
  ASSERT_TRUE(model) << model.error().what.id << ::testing::PrintToString(model.error().what.arguments);
  EXPECT_TRUE(model->guesses.empty()) << ::testing::PrintToString(model->guesses);
  const workload::Parameters counts = workload::parameters(*model);
  const bool agrees =
      prints_as(counts.total, row.total) && (row.active.empty() || prints_as(counts.active, row.active));
  EXPECT_EQ(agrees, row.differs.empty()) << counts.total << " and " << counts.active << " active against " << row.total
                                         << " and " << row.active;
  EXPECT_NEAR(counts.total / parse(row.total).value, 1, 0.08);
}

INSTANTIATE_TEST_SUITE_P(Models, HfCounts, ::testing::ValuesIn(rows()), [](const auto& tested) {
  std::string name;
  for (const char c : tested.param.name) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

}  // namespace
}  // namespace headrace::exchange
