// SPDX-License-Identifier: Apache-2.0
#include "judge/leave_out.h"

#include <gtest/gtest.h>

#include "base/csv.h"
#include "base/embedded.h"

namespace headrace::judge {
namespace {

/// The first cases of our own ledger from three sources.
std::vector<TrainingCase> some_cases(const catalog::Catalog& catalog) {
  const auto table = base::read_csv(base::embedded_text("evidence/training.csv"), "training.csv");
  auto all = training_cases(*table, catalog);
  std::map<std::string, int> seen;
  std::vector<TrainingCase> some;
  for (const auto& known : all->cases)
    if ((seen.size() < 3 || seen.contains(known.source)) && ++seen[known.source] <= 4) some.push_back(known);
  return some;
}

TEST(LeaveOut, PredictsAFoldFromTheOthersAlone) {
  const auto catalog = *catalog::load_catalog();
  auto cases = some_cases(catalog);
  const LeaveOutOptions options{.fit = {}, .only = cases.front().source, .threads = 1, .progress = {}};
  const auto before = predict_left_out(cases, catalog.calibration, Fold::kSource, options);
  ASSERT_TRUE(before);
  for (auto& known : cases)
    if (known.source == options.only) known.measured *= 3;
  const auto after = predict_left_out(cases, catalog.calibration, Fold::kSource, options);
  ASSERT_EQ(before->size(), after->size());
  for (std::size_t i = 0; i < before->size(); ++i) {
    EXPECT_EQ((*before)[i].source, options.only);
    EXPECT_EQ((*before)[i].predicted, (*after)[i].predicted) << "what is left out must not tell its own prediction";
  }
}

// A row of the fold that another source repeats under another name.
TEST(LeaveOut, HidesWhatAnotherSourceRepeatsOfTheFold) {
  const auto catalog = *catalog::load_catalog();
  const auto cases = some_cases(catalog);
  auto repeated = cases;
  repeated.push_back(cases.front());
  repeated.back().source = "another";
  const LeaveOutOptions options{.fit = {}, .only = cases.front().source, .threads = 1, .progress = {}};
  const auto before = predict_left_out(cases, catalog.calibration, Fold::kSource, options);
  const auto after = predict_left_out(repeated, catalog.calibration, Fold::kSource, options);
  ASSERT_TRUE(before && after);
  EXPECT_EQ(before->front().predicted, after->front().predicted);
}

// Sources write "H100", "H100-80GB" and "NVIDIA H100-SXM5-80GB" for one board.
TEST(LeaveOut, KnowsAnAcceleratorByAnyOfItsNames) {
  const auto catalog = *catalog::load_catalog();
  auto one = some_cases(catalog).front(), other = one;
  other.accelerator = "another name of it";
  EXPECT_EQ(fold_of(one, Fold::kAccelerator), fold_of(other, Fold::kAccelerator));
  EXPECT_NE(fold_of(one, Fold::kGroup), fold_of(other, Fold::kGroup));
}

TEST(LeaveOut, IsTheSameOnAnyNumberOfThreads) {
  const auto catalog = *catalog::load_catalog();
  const auto cases = some_cases(catalog);
  const auto with = [&](int threads) {
    return *predict_left_out(cases, catalog.calibration, Fold::kSource,
                             {.fit = {}, .only = "", .threads = threads, .progress = {}});
  };
  const auto one = with(1), three = with(3);
  ASSERT_EQ(one.size(), cases.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].predicted, three[i].predicted);
}

}  // namespace
}  // namespace headrace::judge
