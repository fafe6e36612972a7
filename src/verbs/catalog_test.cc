// SPDX-License-Identifier: Apache-2.0
#include "verbs/catalog.h"

#include <gmock/gmock.h>

#include <sstream>

#include "report/catalog_text.h"

namespace headrace::verbs {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A catalogue of one accelerator, of which little is known.
catalog::Catalog small() {
  catalog::Catalog catalog;
  const auto added = catalog::add_entries(catalog, R"(accelerators:
  chip-64gb:
    name: Chip 64GB
    aliases: [Chip]
    vendor: Maker
    family: other
    peak: {fp16: 200 TFLOP/s}
    memory: {size: 64 GiB}
    sources: [https://example.org/sheet]
    notes: Two pages disagree.
)",
                                          "small.yaml");
  EXPECT_TRUE(added);
  return catalog;
}

std::string text(const std::vector<std::string>& words, report::Tongue tongue = report::Tongue::kEnglish) {
  const auto language = report::Language::load(tongue);
  EXPECT_TRUE(language);
  const auto view = show_catalog(words, small());
  if (!view) return report::say_error(view.error(), *language);
  return report::catalog_text(*view, *language, {.columns = 100, .color = false});
}

std::string json(const std::vector<std::string>& words) {
  const auto language = report::Language::load(report::Tongue::kEnglish);
  return report::catalog_json(*show_catalog(words, small()), *language);
}

TEST(CatalogVerb, WithoutWordsListsTheKindsWithCounts) {
  EXPECT_THAT(text({}), AllOf(HasSubstr("accelerators"), HasSubstr("1"), HasSubstr("headrace catalog search WORD")));
}

TEST(CatalogVerb, AKindIsATableOfKeyFacts) {
  EXPECT_THAT(text({"accelerators"}), AllOf(HasSubstr("chip-64gb"), HasSubstr("64 GiB"), HasSubstr("200 TFLOP/s")));
  EXPECT_EQ(text({"accelerator"}), text({"Accelerators"})) << "the singular and any case will do";
}

TEST(CatalogVerb, ANarrowTerminalShowsFewerColumnsAndNoLineRunsOver) {
  const auto language = report::Language::load(report::Tongue::kEnglish);
  for (const int columns : {40, 60, 80, 120}) {
    const std::string page =
        report::catalog_text(*show_catalog({"accelerators"}, small()), *language, {columns, false});
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(report::display_width(line), columns) << line;
  }
}

TEST(CatalogVerb, AnEntrySaysItsFactsItsUnknownsAndItsSources) {
  const std::string page = text({"accelerators", "CHIP"});
  EXPECT_THAT(page, AllOf(HasSubstr("Chip 64GB"), HasSubstr("fp16 peak, dense"), HasSubstr("also written: Chip"),
                          HasSubstr("https://example.org/sheet"), HasSubstr("Two pages disagree.")));
  EXPECT_THAT(page, HasSubstr("No source was found for: "));
  EXPECT_THAT(page, HasSubstr("idle power"));
  EXPECT_EQ(page, text({"chip"})) << "the kind may be left out";
}

TEST(CatalogVerb, SpeaksChinese) { EXPECT_THAT(text({"chip"}, report::Tongue::kChinese), HasSubstr("显存")); }

TEST(CatalogVerb, SearchFindsByIdNameAndAlias) {
  EXPECT_THAT(text({"search", "64g"}), HasSubstr("chip-64gb"));
  EXPECT_EQ(text({"search", "nowhere"}), "Nothing found.\n");
}

TEST(CatalogVerb, AnUnknownNameOffersTheNearest) {
  EXPECT_THAT(text({"chp-64gb"}), AllOf(HasSubstr("'chp-64gb'"), HasSubstr("chip-64gb")));
  EXPECT_THAT(text({"accelerators", "chp"}), HasSubstr("chip-64gb"));
  EXPECT_THAT(text({"acelerators", "chip"}), HasSubstr("accelerators"));
}

TEST(CatalogVerb, JsonHoldsFiguresInBaseUnitsAndUnknownsAsNull) {
  const std::string page = json({"chip"});
  EXPECT_THAT(page, HasSubstr("\"value\": 68719476736"));
  EXPECT_THAT(page, HasSubstr("\"idle_power\": null"));
  EXPECT_THAT(json({"accelerators"}), HasSubstr("\"peak_16bit\""));
}

// A file system of one file.
class OneFile : public base::FileSystem {
 public:
  explicit OneFile(std::string text) : text_(std::move(text)) {}
  [[nodiscard]] base::Result<std::string> read(const std::string&) const override { return text_; }
  [[nodiscard]] base::Result<void> write(const std::string&, std::string_view) const override { return {}; }

 private:
  std::string text_;
};

TEST(CatalogVerb, CheckListsEveryProblemWithItsPlace) {
  const auto language = report::Language::load(report::Tongue::kEnglish);
  const OneFile bad("networks:\n  wire: {name: Wire, kind: nic, port_bandwidth: 0 GB/s}\n");
  const auto view = check_catalog("my.yaml", small(), bad);
  ASSERT_TRUE(view);
  const std::string page = report::catalog_text(*view, *language, {.columns = 100, .color = false});
  EXPECT_THAT(page,
              AllOf(HasSubstr("my.yaml:2:"), HasSubstr("no source"), HasSubstr("impossible"), HasSubstr("2 problems")));
  const OneFile good("networks:\n  wire: {name: Wire, kind: nic, sources: [https://example.org]}\n");
  EXPECT_THAT(report::catalog_text(*check_catalog("my.yaml", small(), good), *language, {}), Not(HasSubstr("problem")));
}

}  // namespace
}  // namespace headrace::verbs
