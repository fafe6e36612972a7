// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/text_parts.h"

namespace headrace::report {
namespace {

using evidence::FamilyScore;
using Align = TextTable::Align;

constexpr std::size_t kGroupsShown = 12;

std::string metric_table(const FamilyScore& family, const Reader& reader) {
  const Language& language = reader.language;
  TextTable table;
  table.column(language.say("column.metric"));
  table.column(language.say("column.split"));
  table.column(language.say("column.group_median"), Align::kRight);
  table.column(language.say("column.row_median"), Align::kRight);
  table.column(language.say("column.mean"), Align::kRight);
  table.column(language.say("column.p90"), Align::kRight);
  table.column(language.say("column.bias"), Align::kRight);
  table.column(language.say("column.coverage"), Align::kRight);
  table.column(language.say("column.half_width"), Align::kRight);
  for (const evidence::Metric& metric : family.metrics) {
    if (std::isfinite(metric.value)) continue;
    table.row({language.say("metric." + metric.metric), language.say("split." + metric.split),
               percent(metric.median_ape), percent(metric.row_median_ape), percent(metric.mean_ape),
               percent(metric.p90_ape), signed_percent(metric.bias), percent(metric.coverage_80),
               percent(metric.half_width)});
  }
  return table.draw(reader.terminal);
}

/// Figures that are no errors of rows, e.g. of rankings.
std::string value_table(const FamilyScore& family, const Reader& reader) {
  const Language& language = reader.language;
  TextTable table;
  table.column(language.say("column.figure"));
  table.column(language.say("column.split"));
  table.column(language.say("column.median"), Align::kRight);
  table.column(language.say("column.worst"), Align::kRight);
  bool any = false;
  for (const evidence::Metric& metric : family.metrics) {
    if (!std::isfinite(metric.value)) continue;
    const auto figure = [&](double value) {
      return metric.metric == "ranking_spearman" ? fmt::format("{:.2f}", value) : percent(value);
    };
    table.row({language.say("metric." + metric.metric), language.say("split." + metric.split), figure(metric.value),
               figure(metric.worst)});
    any = true;
  }
  return any ? "\n" + table.draw(reader.terminal) : "";
}

std::string skipped_table(const FamilyScore& family, const Reader& reader) {
  std::vector<std::pair<int, std::string>> reasons;
  for (const auto& [reason, count] : family.skipped) reasons.emplace_back(count, reason);
  std::sort(reasons.begin(), reasons.end(), std::greater<>());
  TextTable table;
  table.column("", Align::kRight);
  table.column("");
  for (const auto& [count, reason] : reasons) table.row({grouped(count), reader.language.say(reason)});
  return table.draw(reader.terminal, 4);
}

std::string group_table(const FamilyScore& family, const Reader& reader) {
  const Language& language = reader.language;
  TextTable table;
  table.column(language.say("column.median_error"), Align::kRight);
  table.column(language.say("column.bias"), Align::kRight);
  table.column(language.say("column.rows"), Align::kRight);
  table.column(language.say("column.accelerator"));
  table.column(language.say("column.model"));
  table.column(language.say("column.source"));
  for (std::size_t i = 0; i < std::min(kGroupsShown, family.groups.size()); ++i) {
    const evidence::GroupScore& group = family.groups[i];
    table.row({percent(group.median_ape), signed_percent(group.bias), grouped(group.used), group.accelerator,
               group.model, group.source});
  }
  return table.draw(reader.terminal);
}

std::string family_text(const FamilyScore& family, const Reader& reader) {
  const Language& language = reader.language;
  std::string out = paint(family.family, Paint::kBold, reader.terminal) + "\n\n";
  out += paragraph(language.say("validate.used", {grouped(family.used), grouped(family.rows),
                                                  grouped(std::int64_t(family.groups.size()))}),
                   reader);
  if (!family.skipped.empty())
    out += paragraph(language.say("validate.skipped"), reader) + skipped_table(family, reader);
  out += "\n" + metric_table(family, reader) + paragraph(language.say("validate.intervals"), reader);
  out += value_table(family, reader);
  if (family.groups.empty()) return out;
  return out + "\n" + paragraph(language.say("validate.worst_groups"), reader) + group_table(family, reader);
}

}  // namespace

std::string validation_text(const std::vector<FamilyScore>& families, const Reader& reader) {
  std::string out;
  for (const FamilyScore& family : families) out += (out.empty() ? "" : "\n") + family_text(family, reader);
  return out;
}

}  // namespace headrace::report
