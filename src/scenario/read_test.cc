// SPDX-License-Identifier: Apache-2.0
#include "scenario/read.h"

#include <gtest/gtest.h>

#include "scenario/built_in.h"
#include "scenario/edit.h"

namespace headrace::scenario {
namespace {

/// A scenario from YAML, with the built-in catalogue and --set edits.
base::Result<Scenario> read(const std::string& yaml, const std::vector<std::string>& edits = {}) {
  TRY(catalog::Catalog catalog, catalog::load_catalog());
  TRY(base::Value document, base::read_yaml(yaml, "s.yaml"));
  for (const std::string& assignment : edits) {
    CHECK_OK(edit_set(document, assignment));
  }
  complete(document, catalog);
  return read_scenario(document, catalog);
}

const std::string kSmall =
    "headrace: 1\nname: s\ncenter: {platform: dgx-h100, nodes: 2}\nworkload: {kind: training, model: llama-3-8b, "
    "sequence: 4096}\n";

TEST(ReadScenario, FillsDefaultsAndSaysWhereTheyCameFrom) {
  const auto scenario = read(kSmall);
  ASSERT_TRUE(scenario) << scenario.error().what.id;
  EXPECT_EQ(scenario->center.nodes, 2);
  EXPECT_EQ(scenario->training.global_batch_limit, 1024);
  EXPECT_EQ(scenario->training.precision, base::Dtype::kBf16);
  EXPECT_EQ(scenario->center.network, "ib-ndr");
  EXPECT_EQ(scenario->resolved.find("center")->find("network")->place().file, "origin.platform");
  EXPECT_EQ(scenario->resolved.find("center")->find("nodes")->place().line, 3);
}

TEST(ReadScenario, ReadsBatchesInEveryForm) {
  EXPECT_EQ(read(kSmall, {"workload.global_batch=512"})->training.global_batch, 512);
  EXPECT_EQ(read(kSmall, {"workload.global_batch=512 sequences"})->training.global_batch, 512);
  EXPECT_EQ(read(kSmall, {"workload.global_batch=4M tokens"})->training.global_batch, 977);
  EXPECT_EQ(read(kSmall, {"workload.global_batch=up to 96"})->training.global_batch_limit, 96);
  EXPECT_FALSE(read(kSmall, {"workload.global_batch=up to 96"})->training.global_batch);
}

TEST(ReadScenario, TakesAutoAValueOrAListForEachKey) {
  const auto scenario =
      read(kSmall, {"strategy={tensor: 8, pipeline: [1, 2], context: auto, recompute: [none, full]}"});
  ASSERT_TRUE(scenario);
  EXPECT_EQ(scenario->strategy.tensor, std::vector<std::int64_t>{8});
  EXPECT_EQ(scenario->strategy.pipeline, (std::vector<std::int64_t>{1, 2}));
  EXPECT_TRUE(scenario->strategy.context.empty());
  EXPECT_EQ(scenario->strategy.recompute.size(), 2u);
}

TEST(ReadScenario, LetsTheNewerSizeWin) {
  const auto scenario = read(kSmall, {"center.gpus=24"});
  ASSERT_TRUE(scenario);
  EXPECT_EQ(scenario->center.gpus, 24);
  EXPECT_FALSE(scenario->center.nodes);
}

TEST(ReadScenario, SetsLimits) {
  const auto scenario =
      read(kSmall, {"objective.subject_to=[memory_headroom >= 10 %, time_to_train <= 60 days, cost <= 3 M$]"});
  ASSERT_TRUE(scenario);
  EXPECT_DOUBLE_EQ(scenario->objective.memory_headroom, 0.1);
  EXPECT_DOUBLE_EQ(scenario->objective.time_limit->value(), 60 * 86400.0);
  EXPECT_DOUBLE_EQ(scenario->objective.cost_limit->value(), 3e6);
}

TEST(ReadScenario, GivesAPlatformDescribedInPlaceWhatItSays) {
  const auto scenario = read(kSmall, {"center.platform={name: cut, like: dgx-h100, scaleup_bandwidth: 200 GB/s}"});
  ASSERT_TRUE(scenario) << scenario.error().what.id;
  EXPECT_EQ(scenario->center.platforms, std::vector<std::string>{"cut"});
}

TEST(ReadScenario, RefusesWithThePlace) {
  const auto wrong = read("headrace: 1\nname: s\ncenter: {platform: dgx-h10}\nworkload: {model: llama-3-8b}\n");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().where, (base::Place{"s.yaml", 3, 20}));
  EXPECT_EQ(wrong.error().what.id, "catalog.unknown_platform");
  const auto later = read(kSmall, {"workload.kind=serving"});
  EXPECT_EQ(later.error().what.id, "scenario.kind_later");
  const auto twice = read(kSmall, {"strategy.tensor=[2, 2]"});
  EXPECT_EQ(twice.error().what.id, "scenario.twice");
}

TEST(Edit, MakesMapsOnTheWayAndTakesNullAsRemoval) {
  base::Value document = base::Value::map({}, {});
  ASSERT_TRUE(edit(document, "a.b.c", "3", "--set"));
  EXPECT_EQ(document.find("a")->find("b")->find("c")->raw(), "3");
  EXPECT_FALSE(edit(document, "a..c", "3", "--set"));
  EXPECT_FALSE(edit_set(document, "no-equals-sign"));
}

TEST(BuiltIns, AllReadAndSayWhatTheyShow) {
  EXPECT_GE(built_ins().size(), 10u);
  for (const BuiltIn& built_in : built_ins()) {
    EXPECT_FALSE(built_in.shows.empty()) << built_in.id;
    const auto scenario = read(std::string(built_in.text));
    EXPECT_TRUE(scenario) << built_in.id << ": " << (scenario ? "" : scenario.error().what.id);
    if (scenario) {
      EXPECT_EQ(scenario->name, built_in.id);
    }
  }
}

}  // namespace
}  // namespace headrace::scenario
