// SPDX-License-Identifier: Apache-2.0
// Holds our counts of published config files to what was published of them, where ../shared is there.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/csv.h"
#include "base/files.h"
#include "exchange/hf_config.h"
#include "workload/parameters.h"

namespace headrace::exchange {
namespace {

namespace fs = std::filesystem;

fs::path shared() {
  const char* named = std::getenv("HEADRACE_SHARED");
  return (named != nullptr ? fs::path(named) : fs::path(HEADRACE_SOURCE_DIR) / ".." / "shared") / "evidence";
}

/// Whether a count agrees with a printed one of billions, rounded or cut off to its digits; a whole number of thousands
/// was printed in trillions.
bool prints_as(double count, const std::string& printed) {
  const std::size_t dot = printed.find('.');
  const double value = std::stod(printed);
  const bool trillions = dot == std::string::npos && std::fmod(value, 1000) == 0;
  const double digits = dot == std::string::npos ? 0 : static_cast<double>(printed.size() - dot - 1);
  const double scale = trillions ? 1e-12 : 1e-9 * std::pow(10, digits);
  const double wanted = std::round(value * (trillions ? 1e-3 : std::pow(10, digits)));
  return std::round(count * scale) == wanted || std::floor(count * scale + 1e-6) == wanted;
}

/// What one row of the index states, and how ours compares.
struct Verdict {
  std::string stated;
  std::string ours;
  bool agrees = false;
};

struct Counts {
  workload::Parameters parameters;
  double bytes = 0;
};

/// By the checkpoint's size where it is known, else by the printed count, else by a size in GiB of another's catalogue;
/// a count that a model is only named by says nothing.
std::optional<Verdict> judge(const base::CsvTable& index, const base::CsvTable::Row& row, const Counts& counts) {
  const auto size = base::csv_number(index, row, "total_size_bytes");
  if (size && *size) {
    return Verdict{fmt::format("{:.0f} B", **size), fmt::format("{:.0f} B", counts.bytes),
                   std::abs(counts.bytes / **size - 1) <= 0.001};
  }
  const std::string& printed = index.cell(row, "params_total_b");
  if (!printed.empty() && index.cell(row, "params_source").find("(nominal)") == std::string::npos) {
    return Verdict{printed + " G", fmt::format("{:.4f} G", counts.parameters.total / 1e9),
                   prints_as(counts.parameters.total, printed)};
  }
  const auto gib = base::csv_number(index, row, "weights_gib_kaito");
  if (!gib || !*gib) return {};
  const double ours = counts.bytes / (1024.0 * 1024 * 1024);
  return Verdict{fmt::format("{} GiB", **gib), fmt::format("{:.2f} GiB", ours), std::abs(ours / **gib - 1) <= 0.001};
}

/// Active counts as printed, where they are no name.
void expect_active(const base::CsvTable& index, const base::CsvTable::Row& row, const Counts& counts) {
  const std::string& printed = index.cell(row, "params_active_b");
  if (printed.empty() || index.cell(row, "params_source").find("(nominal)") != std::string::npos) return;
  EXPECT_TRUE(prints_as(counts.parameters.active, printed))
      << index.cell(row, "file") << " " << counts.parameters.active << " against " << printed;
}

TEST(HfPublished, CountsAgreeOrAreExplained) {
  const base::DiskFileSystem disk;
  const auto text = disk.read((shared() / "hf_configs" / "INDEX.csv").string());
  if (!text) GTEST_SKIP() << "no ../shared beside the checkout";
  const auto index = base::read_csv(*text, "INDEX.csv");
  const auto docs = disk.read((fs::path(HEADRACE_SOURCE_DIR) / "docs/parameters.md").string());
  ASSERT_TRUE(index);
  ASSERT_TRUE(docs);
  int usable = 0;
  int agreeing = 0;
  for (const auto& row : index->rows()) {
    const std::string& file = index->cell(row, "file");
    const auto config = disk.read((shared() / "hf_configs" / file).string());
    ASSERT_TRUE(config) << file;
    const auto model = read_hf_config(*config, file);
    if (!model) {
      EXPECT_EQ(model.error().what.id, "hf.not_a_decoder") << file;
      fmt::print("{:62} no decoder\n", file);
      continue;
    }
    const Counts counts{workload::parameters(*model), workload::checkpoint_bytes(*model)};
    expect_active(*index, row, counts);
    const auto verdict = judge(*index, row, counts);
    fmt::print("{:62} {:>8.3f} G {:>8.3f} G active {}\n", file, counts.parameters.total / 1e9,
               counts.parameters.active / 1e9,
               !verdict ? "nothing stated"
                        : verdict->stated + " against " + verdict->ours + (verdict->agrees ? "" : "  DIFFERS"));
    if (!verdict) continue;
    ++usable;
    agreeing += verdict->agrees ? 1 : 0;
    const std::string name = file.substr(0, file.size() - 5);
    EXPECT_TRUE(verdict->agrees || docs->find(name) != std::string::npos) << name << " is not explained";
  }
  fmt::print("{} of {} rows with a usable statement agree\n", agreeing, usable);
  EXPECT_GE(usable, 45);
  EXPECT_GE(agreeing, 0.95 * usable);
}

}  // namespace
}  // namespace headrace::exchange
