// SPDX-License-Identifier: Apache-2.0
#include "verbs/validate.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/csv.h"
#include "base/embedded.h"
#include "base/value.h"
#include "evidence/ranking.h"
#include "judge/left_out.h"
#include "judge/validate.h"
#include "verbs/validate_left_out.h"

namespace headrace::verbs {
namespace {

using base::CsvTable;
using evidence::FamilyScore;
using Validator = base::Result<FamilyScore> (*)(const CsvTable&, const catalog::Catalog&, int);

/// A family of models: the rows that judge it, a column that only its files have, and what predicts them.
struct Family {
  const char* name;
  const char* built_in;
  const char* telling_column;
  Validator validate;
};

constexpr std::array kFamilies{
    Family{"training", "evidence/training.csv", "global_batch_seqs", judge::validate_training},
    Family{"memory", "evidence/memory.csv", "micro_batch_or_max_seqs", judge::validate_memory}};

base::Result<std::vector<Family>> asked(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Family& family : kFamilies) known.emplace_back(family.name);
  std::vector<Family> out;
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      return base::input_error({"--family", 0, 0}, "validate.unknown_family", {name}, base::nearest_hint(name, known));
    out.push_back(kFamilies[std::size_t(found - known.begin())]);
  }
  if (out.empty()) out.assign(kFamilies.begin(), kFamilies.end());
  return out;
}

base::Result<std::vector<CsvTable>> read_files(const std::vector<std::string>& paths, const base::FileSystem& files) {
  std::vector<CsvTable> tables;
  for (const std::string& path : paths) {
    TRY(const std::string text, files.read(path));
    TRY(CsvTable table, base::read_csv(text, path));
    const bool known = std::any_of(kFamilies.begin(), kFamilies.end(),
                                   [&](const Family& f) { return table.column(f.telling_column) >= 0; });
    if (!known) return base::input_error({path, 1, 1}, "validate.unknown_columns");
    tables.push_back(std::move(table));
  }
  return tables;
}

/// Scores of several files as one family: rows joined, figures computed again over all of them.
FamilyScore joined(std::vector<FamilyScore> parts) {
  FamilyScore whole = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    whole.rows += parts[i].rows;
    whole.used += parts[i].used;
    for (const auto& [reason, count] : parts[i].skipped) whole.skipped[reason] += count;
    whole.scored.insert(whole.scored.end(), parts[i].scored.begin(), parts[i].scored.end());
  }
  if (parts.size() > 1 && !whole.metrics.empty()) {
    whole.metrics = {evidence::score(whole.metrics.front().metric, whole.scored)};
    for (auto& metric : evidence::ranking_metrics(whole.scored)) whole.metrics.push_back(std::move(metric));
    whole.groups = evidence::group_scores(whole.scored);
  }
  return whole;
}

}  // namespace

base::Result<std::vector<FamilyScore>> validate(const ValidateOptions& options, const Context& context) {
  TRY(const std::vector<Family> families, asked(options.families));
  if (!options.leave_out.empty()) {
    const bool training_alone = options.evidence.empty() && families.front().validate == judge::validate_training;
    if (!training_alone) return base::input_error({"--leave-out", 0, 0}, "validate.leave_out_alone");
    TRY(FamilyScore score, validate_left_out(options.leave_out, context));
    return std::vector<FamilyScore>{std::move(score)};
  }
  TRY(const std::vector<CsvTable> given, read_files(options.evidence, context.files));
  std::vector<FamilyScore> scores;
  for (const Family& family : families) {
    std::vector<FamilyScore> parts;
    for (const CsvTable& table : given) {
      if (table.column(family.telling_column) < 0) continue;
      TRY(FamilyScore score, family.validate(table, context.catalog, context.threads));
      parts.push_back(std::move(score));
    }
    if (given.empty()) {
      TRY(const CsvTable table, base::read_csv(base::embedded_text(family.built_in), family.built_in));
      TRY(FamilyScore score, family.validate(table, context.catalog, context.threads));
      if (score.family == "training") {
        CHECK_OK(judge::add_left_out(context.catalog, score));
      }
      parts.push_back(std::move(score));
    }
    if (!parts.empty()) scores.push_back(joined(std::move(parts)));
  }
  if (scores.empty()) return base::input_error({options.evidence.front(), 1, 1}, "validate.other_family");
  return scores;
}

std::string rows_csv(const std::vector<FamilyScore>& families) {
  std::string out =
      base::csv_line({"family", "id", "source", "accelerator", "model", "measured", "predicted", "error"});
  for (const FamilyScore& family : families) {
    for (const evidence::Scored& row : family.scored) {
      out += base::csv_line({family.family, row.id, row.source, row.accelerator, row.model,
                             fmt::format("{:.6g}", row.measured), fmt::format("{:.6g}", row.predicted),
                             fmt::format("{:.4f}", row.error())});
    }
  }
  return out;
}

}  // namespace headrace::verbs
