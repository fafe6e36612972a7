// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "base/embedded.h"
#include "base/files.h"
#include "judge/fit.h"
#include "judge/left_out.h"
#include "judge/training_case.h"
#include "judge/validate.h"

namespace headrace::judge {
namespace {

const catalog::Catalog& shipped() {
  static const auto catalog = catalog::load_catalog();
  return *catalog;
}

base::CsvTable table_of(const std::string& rows) {
  const std::string header =
      "id,source_url,year,accelerator,n_accel,accel_per_node,inter_node_network,model,params_b,layers,hidden,ffn_"
      "hidden,"
      "heads,kv_heads,vocab,experts,topk,seq_len,global_batch_seqs,micro_batch,tp,pp,vpp,cp,ep,dp,data_parallel_kind,"
      "sequence_parallel,recompute,precision,framework,metric,value,flops_convention,notes\n";
  return *base::read_csv(header + rows, "rows.csv");
}

/// One step of GPT-3 on 512 H100: 16 sequences of 2048 tokens per rank.
constexpr const char* kGpt =
    "x-1,https://github.com/someone/runs/blob/main/a.md,2024,H100-80GB,512,8,400 Gb/s per "
    "GPU,GPT-3-175B,175,96,12288,49152,"
    "96,96,51200,,,2048,2048,1,4,8,6,1,,16,zero1,yes,none,fp8,NeMo/Megatron-Core,tokens_per_s_per_gpu,700,,\n";

TEST(TrainingCase, ARowBecomesItsJob) {
  const auto all = training_cases(table_of(kGpt), shipped());
  ASSERT_TRUE(all);
  ASSERT_EQ(all->cases.size(), 1U);
  const auto& known = all->cases[0];
  EXPECT_EQ(known.source, "someone/runs");
  EXPECT_EQ(known.strategy.virtual_pipeline, 6);
  EXPECT_FALSE(known.job.model.kinds[0].feed_forward.gated) << "two matrices explain 175 billion parameters";
  EXPECT_DOUBLE_EQ(known.place.network_bandwidth, 50e9);
  EXPECT_NEAR(known.measured, 2048.0 * 2048 / (700 * 512), 1e-9);
}

TEST(TrainingCase, ASourceThatSwitchesOverlapsOffOverlapsNothing) {
  std::string from = kGpt;
  from.replace(from.find("someone/runs"), 12, "MooreThreads/SimuMax");
  const auto usual = training_cases(table_of(kGpt), shipped()), off = training_cases(table_of(from), shipped());
  ASSERT_TRUE(usual && off);
  EXPECT_TRUE(usual->cases[0].strategy.overlap_gradient_reduce);
  EXPECT_FALSE(off->cases[0].strategy.overlap_gradient_reduce);
  EXPECT_FALSE(off->cases[0].strategy.overlap_tensor);
}

TEST(TrainingFacts, SwitchesHoldForTheirRows) {
  const auto facts = load_training_facts();
  ASSERT_TRUE(facts);
  TrainingRow row;
  row.source = "pytorch/torchtitan";
  row.id = "titan-t1-0";
  EXPECT_FALSE(facts->left_on(row).compiled);
  row.id = "titan-t1-1";
  EXPECT_TRUE(facts->left_on(row).compiled);
}

TEST(TrainingFacts, ASourceStatesTheFormatOfItsSilentRows) {
  const auto facts = load_training_facts();
  ASSERT_TRUE(facts);
  TrainingRow row;
  row.source = "VIA-Research/vTrain";
  EXPECT_EQ(facts->precision(row), "fp16");
  row.precision = "bf16";
  EXPECT_EQ(facts->precision(row), "bf16");
  row = {};
  EXPECT_EQ(facts->precision(row), "");
}

TEST(TrainingCase, WhatIsMissingIsCountedNotGuessed) {
  std::string no_shape = kGpt, unknown = kGpt, contradicting = kGpt;
  no_shape.replace(no_shape.find("96,12288,49152,96,96"), 20, ",,,,");
  no_shape.replace(no_shape.find("GPT-3-175B"), 10, "GPT-no-one");
  unknown.replace(unknown.find("H100-80GB"), 9, "H1000");
  contradicting.replace(contradicting.find(",16,zero1"), 9, ",17,zero1");
  const auto all = training_cases(table_of(no_shape + unknown + contradicting), shipped());
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->cases.empty());
  const std::map<std::string, int> expected{
      {"skip.degrees_contradict", 1}, {"skip.no_model_shape", 1}, {"skip.unknown_accelerator", 1}};
  EXPECT_EQ(all->skipped, expected);
}

TEST(TrainingCase, ABadNumberIsAnErrorWithItsPlace) {
  std::string bad = kGpt;
  bad.replace(bad.find(",96,12288"), 9, ",many,12288");
  const auto all = training_cases(table_of(bad), shipped());
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().where.line, 2);
}

TEST(TrainingCase, NotesAndModelTogetherSayHowExpertsTokensMove) {
  const auto facts = load_training_facts();
  const auto catalog = catalog::load_catalog();
  ASSERT_TRUE(facts && catalog);
  TrainingRow row;
  row.accelerator = "B200";
  row.accelerators = 8;
  row.framework = "Megatron-Bridge/Megatron-Core";
  row.model = "Qwen3_235B_a22B";
  const auto by_domain = [&] {
    return place_of(row, *facts, *catalog)->software.facts.contains("expert_dispatch_by_domain");
  };
  EXPECT_TRUE(by_domain());
  row.notes = "26.04 NeMo Container; Pre-Training Performance; system DGX-B200; table precision label MXFP8";
  EXPECT_FALSE(by_domain()) << "its recipe names no dispatcher";
  row.model = "DeepSeekV3";
  EXPECT_TRUE(by_domain());
}

TEST(StatedBandwidth, ReadsTheWaysInWhichRowsSayIt) {
  EXPECT_DOUBLE_EQ(*stated_bandwidth("800 Gb/s per node (as configured)", 8), 12.5e9);
  EXPECT_DOUBLE_EQ(*stated_bandwidth("RoCE 1600 Gbps node-to-node (200 Gb/s per GPU)", 8), 25e9);
  EXPECT_DOUBLE_EQ(*stated_bandwidth("Storage: 2x 400Gb/s, Compute: 8x ConnectX-7 IB NDR 400Gb/s", 8), 50e9);
  EXPECT_FALSE(stated_bandwidth("4 Omni-Path links per node", 8));
}

TEST(SourceOf, OneNameForAllReleases) {
  EXPECT_EQ(source_of("https://github.com/mlcommons/training_results_v4.1/tree/main/x"), "mlcommons/training_results");
  EXPECT_EQ(source_of("https://docs.example.com/guide/a.html"), "docs.example.com/guide");
}

TEST(ValidateTraining, OurOwnLedgerIsPredicted) {
  const auto ledger = base::read_csv(base::embedded_text("evidence/training.csv"), "evidence/training.csv");
  ASSERT_TRUE(ledger);
  const auto score = validate_training(*ledger, shipped(), 2);
  ASSERT_TRUE(score);
  EXPECT_EQ(score->used, score->rows) << "the ledger holds only rows that are used";
  EXPECT_LE(score->metrics[0].median_ape, 0.10);
  EXPECT_LE(score->metrics[0].p90_ape, 0.25);
}

/// Ids of the rows with a complete configuration; none without the evidence as it was gathered.
std::set<std::string> complete_rows(const std::string& root) {
  std::set<std::string> ids;
  const auto text = base::DiskFileSystem().read(root + "/evidence/training_gold_ids.txt");
  std::istringstream words(text.value_or(""));
  for (std::string word; words >> word;) ids.insert(word);
  return ids;
}

std::vector<evidence::Scored> only(const std::set<std::string>& ids, const std::vector<evidence::Scored>& rows) {
  std::vector<evidence::Scored> kept;
  for (const auto& row : rows)
    if (ids.contains(row.id)) kept.push_back(row);
  return kept;
}

std::string shared() {
  const char* set = std::getenv("HEADRACE_SHARED");
  return set != nullptr ? set : "../shared";
}

TEST(ValidateTraining, CompleteRowsReachTheirTarget) {
  const auto text = base::DiskFileSystem().read(shared() + "/evidence/training.csv");
  const auto wanted = complete_rows(shared());
  if (!text || wanted.empty()) GTEST_SKIP() << "no evidence under " << shared();
  const auto score = validate_training(*base::read_csv(*text, "training.csv"), shipped(), 2);
  ASSERT_TRUE(score);
  const auto rows = only(wanted, score->scored);
  const auto metric = evidence::score("step_time", rows);
  EXPECT_GE(static_cast<double>(rows.size()), 0.9 * static_cast<double>(wanted.size()));
  EXPECT_LE(metric.median_ape, 0.15);
  EXPECT_LE(metric.p90_ape, 0.25);
}

/// By constants that never saw a row's source, or its group.
TEST(ValidateTraining, CompleteRowsReachTheirTargetLeftOut) {
  const auto wanted = complete_rows(shared());
  if (wanted.empty()) GTEST_SKIP() << "no evidence under " << shared();
  evidence::FamilyScore family;
  ASSERT_TRUE(add_left_out(shipped(), family));
  const auto source = evidence::score("step_time", only(wanted, family.left_out.at("source_out")));
  const auto group = evidence::score("step_time", only(wanted, family.left_out.at("group_out")));
  EXPECT_LE(source.median_ape, 0.10);
  EXPECT_LE(source.p90_ape, 0.22);
  EXPECT_LE(group.median_ape, 0.05);
  EXPECT_LE(group.p90_ape, 0.15);
}

TEST(FitTraining, FindsTheConstantThatMadeTheMeasurements) {
  const auto& catalog = shipped();
  auto all = training_cases(table_of(kGpt), catalog);
  auto truth = training_priors(catalog.calibration);
  auto fast = *truth.find("gemm.hopper.efficiency_8bit");
  fast.value *= 1.1;
  truth.set("gemm.hopper.efficiency_8bit", fast);
  for (auto& known : all->cases) known.measured = *predict(known, truth);
  const FitOptions options{.prior_weight = 1e-6};
  const auto fitted = fit_training(all->cases, catalog.calibration, options);
  ASSERT_TRUE(fitted);
  EXPECT_NEAR(*predict(all->cases[0], *fitted) / all->cases[0].measured, 1, 0.01);
  const auto again = fit_training(all->cases, catalog.calibration, options);
  for (const auto& [key, constant] : fitted->all()) EXPECT_EQ(constant.value, again->find(key)->value) << key;
}

}  // namespace
}  // namespace headrace::judge
