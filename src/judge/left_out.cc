// SPDX-License-Identifier: Apache-2.0
#include "judge/left_out.h"

#include <fmt/core.h>

#include <array>

#include "base/embedded.h"
#include "evidence/interval.h"
#include "evidence/ranking.h"
#include "judge/doubts.h"
#include "judge/memory_case.h"
#include "judge/memory_fit.h"

namespace headrace::judge {

namespace {

/// A prediction as the file holds it, which is also as a fit uses it.
std::string written(double seconds) { return fmt::format("{:.5g}", seconds); }

constexpr std::array kFolds{Fold::kSource, Fold::kAccelerator, Fold::kGroup};
constexpr const char* kFile = "evidence/left_out.csv";

}  // namespace

const char* split_name(Fold fold) {
  switch (fold) {
    case Fold::kSource: return "source_out";
    case Fold::kAccelerator: return "accelerator_out";
    case Fold::kGroup: break;
  }
  return "group_out";
}

base::Result<LeftOut> built_in_left_out() {
  TRY(const auto table, base::read_csv(base::embedded_text(kFile), kFile));
  LeftOut left_out;
  for (const auto& row : table.rows()) {
    for (const Fold fold : kFolds) {
      TRY(const auto seconds, base::csv_number(table, row, split_name(fold)));
      if (seconds) left_out[fold][table.cell(row, "id")] = *seconds;
    }
  }
  return left_out;
}

base::Result<LeftOut> compute_left_out(const catalog::Catalog& catalog, int threads,
                                       const std::function<void(double)>& progress) {
  TRY(const auto known, built_in_training_cases(catalog));
  LeftOut left_out;
  double done = 0;
  for (const Fold fold : kFolds) {
    LeaveOutOptions options;
    options.threads = threads;
    options.progress = [&](double share) {
      if (progress) progress((done + share) / double(kFolds.size()));
    };
    TRY(const auto rows, predict_left_out(known.cases, catalog.calibration, fold, options));
    for (const auto& row : rows) left_out[fold][row.id] = std::stod(written(row.predicted));
    ++done;
  }
  return left_out;
}

std::string left_out_csv(const LeftOut& left_out) {
  std::map<std::string, std::vector<std::string>> lines;
  for (std::size_t i = 0; i < kFolds.size(); ++i) {
    const auto predictions = left_out.find(kFolds[i]);
    if (predictions == left_out.end()) continue;
    for (const auto& [id, seconds] : predictions->second) {
      auto& line = lines.try_emplace(id, kFolds.size() + 1).first->second;
      line[0] = id;
      line[i + 1] = written(seconds);
    }
  }
  std::vector<std::string> header{"id"};
  for (const Fold fold : kFolds) header.emplace_back(split_name(fold));
  std::string out = base::csv_line(header);
  for (const auto& [id, line] : lines) out += base::csv_line(line);
  return out;
}

std::vector<evidence::Scored> scored_left_out(const std::vector<TrainingCase>& cases, const LeftOut& left_out,
                                              Fold fold, const catalog::Calibration& calibration) {
  std::vector<evidence::Scored> rows;
  const auto predictions = left_out.find(fold);
  if (predictions == left_out.end()) return rows;
  const auto doubts = doubts_without_own_source(cases, settings_of(cases));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto found = predictions->second.find(cases[i].id);
    if (found != predictions->second.end()) rows.push_back(scored_of(cases[i], found->second, doubts[i]));
  }
  evidence::give_cross_conformal_intervals("step_time", calibration, rows);
  return rows;
}

base::Result<void> add_left_out(const catalog::Catalog& catalog, evidence::FamilyScore& training) {
  TRY(const auto known, built_in_training_cases(catalog));
  TRY(const auto left_out, built_in_left_out());
  for (const Fold fold : kFolds) {
    auto rows = scored_left_out(known.cases, left_out, fold, catalog.calibration);
    if (rows.empty()) continue;
    std::vector<evidence::Metric> metrics{evidence::score("step_time", rows)};
    for (auto& metric : evidence::ranking_metrics(rows)) metrics.push_back(std::move(metric));
    for (auto& metric : metrics) {
      metric.split = split_name(fold);
      training.metrics.push_back(std::move(metric));
    }
    training.left_out[split_name(fold)] = std::move(rows);
  }
  return {};
}

base::Result<catalog::Calibration> fit_intervals(const catalog::Catalog& catalog, const LeftOut& left_out,
                                                 const catalog::Calibration& before) {
  TRY(const auto known, built_in_training_cases(catalog));
  const auto steps = scored_left_out(known.cases, left_out, Fold::kSource, before);
  auto fitted = evidence::fit_ranking(steps, evidence::fit_interval("step_time", steps, before));
  TRY(const auto memory, built_in_memory_cases(catalog));
  return evidence::fit_interval("memory", predict_source_out(memory.cases, before), fitted);
}

}  // namespace headrace::judge
