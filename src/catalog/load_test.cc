// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <rapidcheck.h>

#include "catalog/catalog.h"

namespace headrace::catalog {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A catalogue of one link, one accelerator and one platform, on which each mistake is tried alone.
constexpr const char* kGood = R"(sources:
  sheet: https://example.org/sheet
networks:
  wire:
    name: Wire
    kind: scale-up
    port_bandwidth: 25 GB/s
    ports: 4
    sources: [sheet]
accelerators:
  chip-64gb:
    name: Chip 64GB
    aliases: [Chip]
    vendor: Maker
    family: other
    multiprocessors: 100
    per_multiprocessor: {tensor_units: 4, tensor_fma_per_clock: 256}
    clock: {boost: 1000 MHz}
    peak: {bf16: 200 TFLOP/s, fp8: 400 TFLOP/s}
    memory: {type: HBM2, size: 64 GiB, bandwidth: 1000 GB/s}
    scaleup: {link: wire, bandwidth: 100 GB/s}
    sources: ["sheet, page 2"]
platforms:
  box:
    name: Box
    accelerator: chip-64gb
    accelerators: 8
    scaleup: {topology: switched, bandwidth: 100 GB/s}
    sources: [https://example.org/box]
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

// The first problem of the good catalogue with one text replaced: "id line:column".
std::string problem(const std::string& from, const std::string& to) {
  Catalog catalog;
  const auto added = add_entries(catalog, with(kGood, from, to), "my.yaml");
  if (added) return "none";
  const base::Error& error = added.error();
  EXPECT_EQ(error.where.file, "my.yaml");
  EXPECT_TRUE(catalog.accelerators.entries().empty()) << "a failed file must leave the catalogue unchanged";
  return error.what.id + " " + std::to_string(error.where.line) + ":" + std::to_string(error.where.column);
}

TEST(Load, ReadsAGoodCatalogue) {
  Catalog catalog;
  ASSERT_TRUE(add_entries(catalog, kGood, "my.yaml"));
  const Accelerator* chip = catalog.accelerators.find("maker CHIP_64GB");
  ASSERT_NE(chip, nullptr);
  EXPECT_EQ(chip->memory, base::gibibytes(64));
  EXPECT_EQ(chip->peak.at(base::Dtype::kFp8), base::FlopsPerSecond(400e12));
  EXPECT_THAT(chip->sources, ElementsAre("https://example.org/sheet, page 2"));
  EXPECT_EQ(catalog.platforms.find("box")->topology, Topology::kSwitched);
  EXPECT_FALSE(chip->l2.has_value()) << "unknown facts stay unknown";
}

TEST(Load, RefusesEntriesWithoutASource) {
  EXPECT_EQ(problem("    sources: [https://example.org/box]\n", ""), "catalog.no_source 25:5");
  EXPECT_EQ(problem("sources: [https://example.org/box]", "sources: []"), "catalog.no_source 29:14");
  EXPECT_EQ(problem("sources: [https://example.org/box]", "sources: [shet]"), "catalog.unknown_source 29:14");
}

TEST(Load, RefusesImpossibleFigures) {
  EXPECT_EQ(problem("bandwidth: 1000 GB/s", "bandwidth: 0 GB/s"), "catalog.impossible 20:51");
  EXPECT_EQ(problem("bandwidth: 1000 GB/s", "bandwidth: -1 GB/s"), "quantity.negative 20:51");
  EXPECT_EQ(problem("bandwidth: 1000 GB/s", "bandwidth: 1000 PB/s"), "catalog.impossible 20:51");
  EXPECT_EQ(problem("bandwidth: 1000 GB/s", "bandwidth: 1000"), "quantity.no_unit 20:51");
  EXPECT_EQ(problem("bandwidth: 1000 GB/s", "bandwidth: 4000 GB/s"), "catalog.memory_too_fast 20:51");
  EXPECT_EQ(problem("boost: 1000 MHz", "boost: 1000 GHz"), "catalog.impossible 18:20");
  EXPECT_EQ(problem("multiprocessors: 100", "multiprocessors: 0"), "base.out_of_range 16:22");
}

// 100 × 4 × 256 × 2 × 1 GHz = 204.8 TFLOP/s at 16 bits.
TEST(Load, RefusesPeaksAboveWhatTheClockGives) {
  EXPECT_EQ(problem("bf16: 200 TFLOP/s", "bf16: 225 TFLOP/s"), "none");
  EXPECT_EQ(problem("bf16: 200 TFLOP/s", "bf16: 226 TFLOP/s"), "catalog.sparse_peak 19:18");
  EXPECT_EQ(problem("bf16: 200 TFLOP/s", "bf16: 500 TFLOP/s"), "catalog.peak_above_clock 19:18");
  EXPECT_EQ(problem("fp8: 400 TFLOP/s", "fp8: 800 TFLOP/s"), "catalog.sparse_peak 19:36");
}

// Whatever the device: a dense peak passes up to 10 % above what its units and clock give, and never beyond.
TEST(Load, AcceptsAPeakExactlyUpToTheMargin) {
  EXPECT_TRUE(rc::check([] {
    const int units = *rc::gen::inRange(1, 300);
    const int fma = *rc::gen::inRange(1, 1100);
    const int clock = *rc::gen::inRange(100, 3000);
    const int percent = *rc::gen::suchThat(rc::gen::inRange(50, 300), [](int p) { return p != 110; });
    const double given = 100.0 * units * fma * 2 * clock * 1e6;
    RC_PRE(given * percent / 100 > 1e9 && given * percent / 100 < 1e18);
    const std::string text = fmt::format(
        "accelerators:\n  chip: {{name: Chip, vendor: Maker, family: other, multiprocessors: 100,\n"
        "    per_multiprocessor: {{tensor_units: {}, tensor_fma_per_clock: {}}}, clock: {{boost: {} MHz}},\n"
        "    peak: {{bf16: {:.17g} FLOP/s}}, sources: [https://example.org]}}\n",
        units, fma, clock, given * percent / 100);
    Catalog catalog;
    RC_ASSERT(add_entries(catalog, text, "my.yaml").has_value() == (percent < 110));
  }));
}

TEST(Load, RefusesSparsePeaksWithoutAClock) {
  const std::string sparse =
      with(with(kGood, "    clock: {boost: 1000 MHz}\n", "    sparsity_factor: 2\n"), "fp8: 400", "fp8: 800");
  Catalog catalog;
  const auto added = add_entries(catalog, sparse, "my.yaml");
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().what.id, "catalog.sparse_peak");
}

TEST(Load, RefusesLinksAboveWhatTheyCarry) {
  EXPECT_EQ(problem("link: wire, bandwidth: 100 GB/s", "link: wire, bandwidth: 200 GB/s"),
            "catalog.link_too_fast 21:38");
  EXPECT_EQ(problem("switched, bandwidth: 100 GB/s", "switched, bandwidth: 200 GB/s"), "catalog.link_too_fast 28:46");
}

TEST(Load, RefusesDanglingNames) {
  EXPECT_EQ(problem("accelerator: chip-64gb", "accelerator: chp-64gb"), "catalog.unknown_accelerator 26:18");
  EXPECT_EQ(problem("link: wire", "link: wier"), "catalog.unknown_network 21:21");
}

TEST(Load, RefusesNamesThatAreTaken) {
  EXPECT_EQ(problem("networks:\n", "networks:\n  Wi_re: {name: Other, kind: nic, sources: [sheet]}\n"),
            "catalog.taken 5:3");
}

TEST(Load, RefusesUnknownKeysAndWordsWithTheNearest) {
  Catalog catalog;
  auto added = add_entries(catalog, with(kGood, "    ports: 4", "    prots: 4"), "my.yaml");
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().what.id, "base.unknown_key");
  EXPECT_THAT(added.error().hint->arguments[0], HasSubstr("ports"));
  added = add_entries(catalog, with(kGood, "topology: switched", "topology: swiched"), "my.yaml");
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().what.id, "catalog.unknown_word");
  EXPECT_EQ(problem("platforms:", "platfroms:"), "catalog.unknown_kind 23:1");
  EXPECT_EQ(problem("peak: {bf16:", "peak: {bf17:"), "base.unknown_key 19:12");
}

TEST(Load, ListsEveryProblemOfAFile) {
  const std::string bad = with(with(with(kGood, "    vendor: Maker\n", ""), "boost: 1000 MHz", "boost: fast"),
                               "accelerators: 8", "accelerators: many");
  std::vector<std::string> found;
  for (const base::Error& error : check_entries(Catalog(), bad, "my.yaml"))
    found.push_back(error.what.id + " " + std::to_string(error.where.line));
  EXPECT_THAT(found, ElementsAre("base.missing_key 12", "quantity.no_number 17", "base.expected_integer 26"));
}

TEST(Load, KeepsConstantsWithinTheirRange) {
  Catalog catalog;
  const std::string good = "calibration:\n  a.b: {value: 1, low: 0, high: 2, unit: s, basis: fitted, evidence: x}\n";
  EXPECT_TRUE(add_entries(catalog, good, "my.yaml"));
  EXPECT_EQ(catalog.calibration.value("a.b").value(), 1);
  const auto added = add_entries(catalog, with(good, "value: 1", "value: 3"), "my.yaml");
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().what.id, "catalog.constant_out_of_range");
}

TEST(Calibration, FallsBackToTheDefaultFamilyAndNamesWhatIsMissing) {
  Calibration calibration;
  calibration.set("gemm.default.efficiency", {0.5, 0, 1, "1", "assumed", "none"});
  calibration.set("gemm.hopper.efficiency", {0.7, 0, 1, "1", "fitted", "none"});
  EXPECT_EQ(calibration.family_value("gemm", "hopper", "efficiency").value(), 0.7);
  EXPECT_EQ(calibration.family_value("gemm", "gaudi", "efficiency").value(), 0.5);
  const auto missing = calibration.family_value("gemm", "gaudi", "power");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, base::ErrorKind::kInternal);
  EXPECT_THAT(missing.error().what.arguments, ElementsAre("gemm.default.power"));
}

}  // namespace
}  // namespace headrace::catalog
