// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "report/text_parts.h"

namespace headrace::report {
namespace {

using base::Measure;
using Align = TextTable::Align;

constexpr int kMostBarColumns = 32, kLeastBarColumns = 8, kFigureColumns = 35;
constexpr double kWorthALine = 0.001;

/// From the peak down, a bar of what is left after each loss.
std::string waterfall_table(const scenario::Waterfall& waterfall, double total, const Reader& reader) {
  const Language& language = reader.language;
  int label = std::max(display_width(language.say("explain.peak")), display_width(language.say("explain.achieved")));
  for (const scenario::WaterfallStep& step : waterfall.steps)
    label = std::max(label, display_width("− " + language.say(step.name)));
  const int bar_columns =
      std::clamp(reader.terminal.columns - kFigureColumns - label, kLeastBarColumns, kMostBarColumns);
  TextTable table;
  table.column(language.say("column.loss"));
  table.column(language.say("column.takes"), Align::kRight);
  table.column(language.say("column.left"), Align::kRight);
  table.column("", Align::kRight);
  table.column("");
  const auto line = [&](const std::string& name, const std::string& takes, double left, Paint ink) {
    table.row({name, takes, say_value(left, Measure::kCompute), percent(left / waterfall.peak, 0),
               paint(bar(left / waterfall.peak, bar_columns), ink, reader.terminal)});
  };
  line(language.say("explain.peak"), "", waterfall.peak, Paint::kAccent);
  for (const scenario::WaterfallStep& step : waterfall.steps) {
    if (std::abs(step.seconds) < kWorthALine * total) continue;
    line("− " + language.say(step.name), say_value(step.seconds, Measure::kTime), step.remaining, Paint::kAccent);
  }
  line(language.say("explain.achieved"), "", waterfall.achieved, Paint::kGood);
  return table.draw(reader.terminal);
}

/// The three largest losses in words: what to attack first.
std::string largest_losses(const scenario::Waterfall& waterfall, double total, const Reader& reader) {
  std::string list;
  int count = 0;
  for (const scenario::WaterfallStep& step : waterfall.steps) {
    if (++count > 3 || step.seconds < kWorthALine * total) break;
    list += (list.empty() ? "" : reader.language.say("list.comma")) + reader.language.say(step.name) + " " +
            percent(step.seconds / total, 0);
  }
  return list.empty() ? "" : paragraph(reader.language.say("explain.largest", {list}), reader);
}

}  // namespace

std::string explain_text(const scenario::Outcome& outcome, const Reader& reader) {
  std::string out = headline(outcome, reader) + "\n";
  if (!outcome.training) return out + paragraph(reader.language.say("plan.limits_keep_out"), reader);
  const scenario::TrainingOutcome& choice = *outcome.training;
  out += conclusion(outcome, choice, reader) + "\n";
  if (outcome.waterfall) {
    out += waterfall_table(*outcome.waterfall, choice.step_time.value, reader) + "\n";
    out += largest_losses(*outcome.waterfall, choice.step_time.value, reader);
  } else {
    out += paragraph(reader.language.say("explain.no_peak", {choice.accelerator}), reader) + bound_line(choice, reader);
  }
  out += gain_line(choice, reader);
  out += paint(paragraph(reader.language.say("explain.convention"), reader), Paint::kDim, reader.terminal);
  if (!outcome.warnings.empty()) out += "\n" + warning_lines(outcome.warnings, reader);
  return out;
}

std::string operator_text(const scenario::OperatorOutcome& outcome, const Reader& reader) {
  const Language& language = reader.language;
  std::string out =
      paint(language.say("operator.headline", {outcome.op, outcome.accelerator}), Paint::kBold, reader.terminal) +
      "\n\n";
  out += paragraph(language.say("operator.time", {say_estimate(outcome.time, Measure::kTime),
                                                  say_estimate(outcome.tflops, Measure::kCompute, 1e12),
                                                  percent(outcome.tflops.value * 1e12 / outcome.waterfall.peak)}),
                   reader);
  const char* side = outcome.intensity >= outcome.ridge ? "operator.compute_side" : "operator.memory_side";
  out += paragraph(language.say(side, {short_count(outcome.intensity), short_count(outcome.ridge)}), reader);
  out += paragraph(language.say("operator.bound", {language.say(outcome.time.bound)}), reader) + "\n";
  out += waterfall_table(outcome.waterfall, outcome.time.value, reader);
  if (!outcome.warnings.empty()) out += "\n" + warning_lines(outcome.warnings, reader);
  return out;
}

}  // namespace headrace::report
