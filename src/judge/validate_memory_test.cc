// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "base/embedded.h"
#include "judge/memory_case.h"
#include "judge/memory_fit.h"
#include "judge/validate.h"

namespace headrace::judge {
namespace {

const catalog::Catalog& shipped() {
  static const catalog::Catalog catalog = catalog::load_catalog().value();
  return catalog;
}

constexpr const char* kHeader =
    "id,kind,source_url,year,software,accelerator,accel_memory_gib,n_accel,model,params_b,layers,seq_or_max_len,"
    "micro_batch_or_max_seqs,tp,pp,cp,ep,dp,sharding,recompute,precision,weight_quant,optimizer,lora,value,unit,"
    "notes\n";

base::Result<evidence::FamilyScore> judged(const std::string& rows) {
  return validate_memory(base::read_csv(kHeader + rows, "rows.csv").value(), shipped(), 1);
}

MemoryCase only_case(const std::string& row) {
  const auto table = base::read_csv(kHeader + row, "rows.csv").value();
  KnownModels models;
  return memory_case(table, table.rows().front(), load_memory_facts().value(), shipped(), models).value();
}

const char* const kLora =
    "a,train_peak,https://github.com/o/r/x,2024,litgpt,A100-SXM4-40GB,40,1,Llama 2,7,,1304,1,1,1,,,1,none,,bf16-true,,"
    "AdamW,yes,21.30,GB_peak_per_gpu,\"4,194,304 trainable parameters\"\n";

// 4,194,304 parameters are rank 8 on the queries and values of 32 layers of width 4096: 8 · 4 · 4096 · 32.
TEST(MemoryCase, ReadsAnAdapterRow) {
  const MemoryCase known = only_case(kLora);
  EXPECT_EQ(known.source, "o/r");
  EXPECT_EQ(known.job.adaptation.kind, scenario::FineTuning::kLora);
  EXPECT_FALSE(known.job.adaptation.all_linear);
  EXPECT_EQ(known.job.sequence, 1304);
  EXPECT_EQ(known.job.numerics.weights, base::Dtype::kBf16);
  EXPECT_EQ(known.quantity, training::MemoryQuantity::kAllocated);
  EXPECT_DOUBLE_EQ(known.measured, 21.30e9);
}

TEST(MemoryCase, TotalsAreDividedAndUnitsKept) {
  const MemoryCase known = only_case(
      "a,train_peak,https://github.com/o/r/x,2023,transformers/peft + DeepSpeed,A100-SXM4-80G,80,4,Llama "
      "2,7,,512,1,1,1,,,4,"
      "zero3,,bf16,,,yes,40,GiB_total_all_gpus,\n");
  EXPECT_DOUBLE_EQ(known.measured, 10 * base::kGibi);
  EXPECT_EQ(known.strategy.data_parallel, scenario::DataParallel::kZero3);
}

TEST(ValidateMemory, CountsWhatItSkipsByReason) {
  const std::string row = kLora;
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = row;
    return changed.replace(changed.find(from), from.size(), to);
  };
  const auto score = judged(row + with("Llama 2,7", "No Such Model,7") + with("litgpt", "no such software") +
                            with(",1304,", ",,") + with("train_peak", "serve_oom"));
  ASSERT_TRUE(score);
  EXPECT_EQ(score->rows, 4);
  EXPECT_EQ(score->used, 1);
  EXPECT_EQ(score->skipped.at("skip.unknown_model"), 1);
  EXPECT_EQ(score->skipped.at("skip.unknown_software"), 1);
  EXPECT_EQ(score->skipped.at("skip.no_sequence"), 1);
}

// A 13B model in 16 bit takes 24 GiB; two of its sequences of 1304 tokens take more than the other 16 of a 40 GB board.
TEST(ValidateMemory, RefusesWhatRanOutOfMemory) {
  std::string row = kLora;
  row.replace(row.find("Llama 2,7"), 9, "Llama 2,13").replace(row.find(",1304,1,"), 8, ",1304,2,");
  EXPECT_TRUE(refused(only_case(row)));
  EXPECT_FALSE(refused(only_case(kLora)));
}

const evidence::Metric& metric(const evidence::FamilyScore& score, const std::string& name, const std::string& split) {
  for (const auto& found : score.metrics)
    if (found.metric == name && found.split == split) return found;
  throw std::out_of_range(name);
}

// The bounds are those that the project promises; the ledger holds rows whose configuration is complete.
TEST(ValidateMemory, HoldsItsPromisesOnTheLedger) {
  const auto table = base::read_csv(base::embedded_text("evidence/memory.csv"), "evidence/memory.csv").value();
  const auto score = validate_memory(table, shipped(), 1);
  ASSERT_TRUE(score);
  EXPECT_EQ(score->used, score->rows);
  for (const char* split : {"as_shipped", "source_out"}) {
    EXPECT_LE(metric(*score, "peak_memory", split).median_ape, 0.10) << split;
    EXPECT_LE(metric(*score, "peak_memory", split).p90_ape, 0.30) << split;
  }
  EXPECT_LE(metric(*score, "out_of_memory_missed", "as_shipped").mean_ape, 0.10);
  EXPECT_LE(metric(*score, "fitting_refused", "as_shipped").mean_ape, 0.03);
  double sum = 0, worst = 0, rows = 0;
  for (const auto& row : score->scored) {
    if (!row.id.starts_with("simumax")) continue;
    sum += std::abs(row.error());
    worst = std::max(worst, std::abs(row.error()));
    rows += 1;
  }
  EXPECT_GE(rows, 17);
  EXPECT_LE(sum / rows, 0.05);
  EXPECT_LE(worst, 0.12);
}

// Two device readings of one run on one accelerator, made from 0.5 GB of context and nothing else, give that context
// back.
TEST(FitMemory, FindsTheContextThatTheCasesWereMadeWith) {
  std::string row = kLora;
  row.replace(row.find("GB_peak_per_gpu"), 15, "GB_device_per_gpu");
  MemoryCase known = only_case(row);
  const auto set = [&](const char* key, double value) {
    catalog::Constant constant = *shipped().calibration.find(key);
    constant.value = constant.low = constant.high = value;
    known.machine.calibration.set(key, constant);
  };
  set("memory.fragmentation", 0);
  set("memory.communicator", 0);
  set("memory.context", 0.5e9);
  known.measured = predict(known);
  catalog::Calibration open = known.machine.calibration;
  catalog::Constant context = *shipped().calibration.find("memory.context");
  context.low = 0;
  context.high = 1e9;
  open.set("memory.context", context);
  EXPECT_NEAR(fit_memory({&known}, open).find("memory.context")->value, 0.5e9, 1);
}

}  // namespace
}  // namespace headrace::judge
