// SPDX-License-Identifier: Apache-2.0
#include "verbs/accuracy.h"

#include <map>

#include "base/csv.h"
#include "base/embedded.h"
#include "base/value.h"
#include "judge/doubts.h"
#include "report/accuracy_tables.h"
#include "verbs/validate.h"

namespace headrace::verbs {
namespace {

using evidence::FamilyScore;
using evidence::Scored;

std::map<std::string, double> errors_of(const std::vector<Scored>& rows) {
  std::map<std::string, double> errors;
  for (const Scored& row : rows) errors[row.id] = row.error();
  return errors;
}

/// The predictions of other tools for rows of our ledger, beside ours.
base::Result<std::vector<report::PeerSet>> peers(const FamilyScore& training) {
  constexpr const char* kFile = "evidence/peers.csv";
  TRY(const auto table, base::read_csv(base::embedded_text(kFile), kFile));
  std::map<std::string, const Scored*> known;
  for (const Scored& row : training.scored) known[row.id] = &row;
  const auto left_out = training.left_out.find("source_out");
  const auto source_out =
      left_out == training.left_out.end() ? std::map<std::string, double>() : errors_of(left_out->second);
  std::vector<report::PeerSet> sets;
  for (const auto& row : table.rows()) {
    const auto ours = known.find(table.cell(row, "id"));
    if (ours == known.end())
      return base::input_error(table.place(row, "id"), "accuracy.no_row", {table.cell(row, "id")});
    TRY(const auto theirs, base::csv_number(table, row, "predicted_s"));
    const std::string& name = table.cell(row, "set");
    if (sets.empty() || sets.back().name != name) sets.push_back({name, table.cell(row, "peer"), {}, {}, {}});
    sets.back().shipped.push_back(ours->second->error());
    sets.back().theirs.push_back(theirs.value_or(0) / ours->second->measured - 1);
    if (const auto found = source_out.find(ours->first); found != source_out.end())
      sets.back().source_out.push_back(found->second);
  }
  return sets;
}

base::Result<std::vector<report::Explanation>> explanations() {
  constexpr const char* kFile = "evidence/explanations.yaml";
  TRY(const base::Value document, base::read_yaml(base::embedded_text(kFile), kFile));
  base::Fields fields(document);
  TRY(const base::Value* list, fields.required("explanations"));
  CHECK_OK(fields.finish());
  std::vector<report::Explanation> out;
  for (const base::Value& item : list->items()) {
    base::Fields one(item);
    report::Explanation read;
    TRY(read.source, one.text_or("source", ""));
    TRY(read.accelerator, one.text_or("accelerator", ""));
    TRY(read.model, one.text_or("model", ""));
    TRY(read.why, one.text_or("why", ""));
    TRY(read.shown_by, one.text_or("shown_by", ""));
    CHECK_OK(one.finish());
    out.push_back(std::move(read));
  }
  return out;
}

base::Result<std::string> filled(std::string page, const std::string& name, const std::string& table) {
  const std::string begin = "<!-- " + name + " -->\n", end = "<!-- /" + name + " -->";
  const auto from = page.find(begin), to = page.find(end);
  if (from == std::string::npos || to == std::string::npos || to < from)
    return base::input_error({}, "accuracy.no_mark", {begin.substr(0, begin.size() - 1), end});
  return page.replace(from + begin.size(), to - from - begin.size(), table);
}

}  // namespace

base::Result<std::string> accuracy_page(std::string page, const Context& context) {
  TRY(const auto families, validate({}, context));
  const FamilyScore& training = families.front();
  const auto left_out = training.left_out.find("source_out");
  TRY(const auto sets, peers(training));
  TRY(const auto known, explanations());
  TRY(const auto settings, judge::built_in_settings(context.catalog));
  TRY(page, filled(std::move(page), "headline", report::headline_table(families)));
  TRY(page, filled(std::move(page), "ranking",
                   report::ranking_table(left_out == training.left_out.end() ? training.scored : left_out->second)));
  TRY(page, filled(std::move(page), "peers", report::peers_table(sets)));
  TRY(page, filled(std::move(page), "worst", report::worst_table(families, known)));
  return filled(std::move(page), "reach", report::reach_table(settings));
}

}  // namespace headrace::verbs
