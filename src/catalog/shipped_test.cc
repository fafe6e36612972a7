// SPDX-License-Identifier: Apache-2.0
// What the shipped catalogue promises: it loads, and the names that people and measurements write find their entries.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "base/csv.h"
#include "catalog/catalog.h"

namespace headrace::catalog {
namespace {

using testing::Contains;
using testing::IsEmpty;

const Catalog& shipped() {
  static const Catalog catalog = [] {
    auto loaded = load_catalog();
    if (!loaded)
      ADD_FAILURE() << loaded.error().where.file << ":" << loaded.error().where.line << " " << loaded.error().what.id;
    return loaded.value_or(Catalog());
  }();
  return catalog;
}

std::string id_of(std::string_view name) {
  const Accelerator* accelerator = shipped().accelerators.find(name);
  return accelerator ? accelerator->id : "";
}

TEST(Shipped, HoldsTheWholeCatalogue) {
  EXPECT_GE(shipped().accelerators.entries().size(), 94U);
  EXPECT_GE(shipped().platforms.entries().size(), 87U);
  EXPECT_GE(shipped().networks.entries().size(), 85U);
  EXPECT_GE(shipped().prices.entries().size(), 219U);
  EXPECT_GE(shipped().software.entries().size(), 50U);
}

TEST(Shipped, BandwidthsAreOneWay) {
  EXPECT_EQ(shipped().accelerators.find("h100-sxm5-80gb")->scaleup_bandwidth, base::BytesPerSecond(450e9));
  EXPECT_EQ(shipped().accelerators.find("h800-sxm5-80gb")->scaleup_bandwidth, base::BytesPerSecond(200e9));
  EXPECT_EQ(shipped().platforms.find("dgx-h100")->network, "ib-ndr");
  EXPECT_EQ(shipped().platforms.find("dgx-h100")->network_bandwidth, base::BytesPerSecond(50e9));
  EXPECT_EQ(shipped().platforms.find("dgx-a100")->network_bandwidth, base::BytesPerSecond(25e9));
}

// The claims that sources get wrong (see the notes of the entries).
TEST(Shipped, HoldsTheFactsThatOthersGetWrong) {
  EXPECT_EQ(shipped().accelerators.find("l4")->power_limit, base::Watts(72));
  EXPECT_EQ(shipped().accelerators.find("v100-sxm2-32gb")->tensor_fma_per_clock, 64);
  EXPECT_EQ(shipped().accelerators.find("h200")->peak.at(base::Dtype::kFp8), base::FlopsPerSecond(1979e12));
  EXPECT_EQ(shipped().accelerators.find("b300")->peak.at(base::Dtype::kInt8), base::FlopsPerSecond(153.5e12));
}

TEST(Shipped, KnowsTheNamesPeopleWrite) {
  for (const char* name :
       {"H100", "H100-80GB", "NVIDIA H100-SXM5-80GB", "h100_sxm", "H100-80GB SXM", "NVIDIA H100 80GB HBM3"})
    EXPECT_EQ(id_of(name), "h100-sxm5-80gb") << name;
  for (const char* name : {"A100-80GB", "A100-SXM4-80G", "NVIDIA A100-SXM4-80GB"})
    EXPECT_EQ(id_of(name), "a100-sxm4-80gb") << name;
  EXPECT_EQ(id_of("A800-80GB"), "a800-sxm4-80gb");
  EXPECT_EQ(id_of("B200-SXM"), "b200-sxm-180gb");
  EXPECT_EQ(id_of("AMD Instinct MI300X"), "mi300x");
  EXPECT_EQ(id_of("Google TPU v5p"), "tpu-v5p");
  EXPECT_EQ(id_of("RTX-3090-24GB"), "rtx3090");
}

TEST(Shipped, AmbiguousNamesListWhatTheyMayMean) {
  EXPECT_EQ(shipped().accelerators.find("A100"), nullptr);
  EXPECT_THAT(shipped().accelerators.candidates("A100"), Contains("a100-sxm4-80gb"));
  EXPECT_THAT(shipped().accelerators.candidates("A1000"), IsEmpty());
  EXPECT_THAT(shipped().accelerators.candidates("NVIDIA V100"), Contains("v100-sxm2-32gb"));
  EXPECT_EQ(shipped().accelerators.get("A100", {}).error().what.id, "catalog.which_accelerator");
  EXPECT_EQ(shipped().platforms.get("dgx-h10", {}).error().what.id, "catalog.unknown_platform");
}

// Names of measurements that say too little, or name no product.
const std::set<std::string> kUnclear{"A100",
                                     "A100 (DGX-A100)",
                                     "A100 (NVIDIA Ampere; from-memory)",
                                     "B200 (table prints H200 in this row; text says B200)",
                                     "(Blackwell, not named)",
                                     "24 GB GPU",
                                     "AMD (ROCm), 188 GB visible",
                                     "B200-class (SM100)",
                                     "MegaScale"};

std::string shared_file(const std::string& path) {
  const char* root = std::getenv("HEADRACE_SHARED");
  std::ifstream in((root ? std::string(root) : std::string("../shared")) + "/" + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Shipped, EverySpellingOfTheEvidenceResolvesOrIsKnownAsUnclear) {
  for (const char* file : {"evidence/training.csv", "evidence/memory_cases.csv"}) {
    const std::string text = shared_file(file);
    if (text.empty()) GTEST_SKIP() << "no shared evidence beside the checkout";
    const auto table = base::read_csv(text, file);
    ASSERT_TRUE(table);
    for (const auto& row : table->rows()) {
      const std::string& name = table->cell(row, "accelerator");
      EXPECT_TRUE(name.empty() || kUnclear.contains(name) || shipped().accelerators.find(name))
          << file << ":" << row.line << " " << name;
      const std::string software = table->cell(row, "framework") + table->cell(row, "software");
      EXPECT_TRUE(kUnclear.contains(software) || shipped().software.find(software))
          << file << ":" << row.line << " " << software;
    }
  }
}

}  // namespace
}  // namespace headrace::catalog
