// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "report/text_parts.h"

namespace headrace::report {
namespace {

using base::Estimate;
using base::Measure;
using scenario::Comparison;
using scenario::Outcome;
using scenario::TrainingOutcome;
using Align = TextTable::Align;

TextTable with_heads(const Comparison& comparison) {
  TextTable table;
  table.column("");
  for (const std::string& name : comparison.names) table.column(name, Align::kRight);
  return table;
}

std::string facts_text(const Comparison& comparison, const Reader& reader) {
  TextTable table = with_heads(comparison);
  for (std::size_t row = 0; row < comparison.facts.front().facts.size(); ++row) {
    std::vector<std::string> cells{reader.language.say(comparison.facts.front().facts[row].first)};
    for (const auto& column : comparison.facts) cells.push_back(reader.language.say(column.facts[row].second));
    table.row(std::move(cells));
  }
  return table.draw(reader.terminal);
}

/// One row of the table: a label and what each feasible column shows.
void add_row(TextTable& table, const Comparison& comparison, const std::string& label, auto&& cell) {
  std::vector<std::string> cells{label};
  for (const Outcome& outcome : comparison.outcomes) cells.push_back(outcome.feasible ? cell(*outcome.training) : "–");
  table.row(std::move(cells));
}

/// A row of figures, each column after the first with its difference to the first.
void add_figure(TextTable& table, const Comparison& comparison, const std::string& label, auto&& value, auto&& show) {
  const Outcome& first = comparison.outcomes.front();
  const std::optional<double> from = first.feasible ? value(*first.training) : std::nullopt;
  add_row(table, comparison, label, [&](const TrainingOutcome& c) {
    const std::optional<double> now = value(c);
    const std::string cell = show(now);
    if (!from || !now || *from <= 0 || &c == &*first.training) return cell;
    return cell + " " + signed_percent(*now / *from - 1);
  });
}

std::string strategy_cell(const TrainingOutcome& choice) {
  const scenario::Strategy& s = choice.strategy;
  std::string cell = "TP " + std::to_string(s.tensor) + " PP " + std::to_string(s.pipeline);
  if (s.context > 1) cell += " CP " + context_degree(s);
  if (s.expert > 1) cell += " EP " + std::to_string(s.expert);
  return cell + " DP " + std::to_string(s.data);
}

void add_figures(TextTable& table, const Comparison& comparison, const Language& language) {
  const auto figure = [&](const char* label, auto value, auto show) {
    add_figure(table, comparison, language.say(label), value, show);
  };
  const auto as = [&](Measure measure) {
    return [&language, measure](const std::optional<double>& value) {
      return value ? say_value(*value, measure) : language.say("fact.unknown");
    };
  };
  const auto value_of = [](auto member) {
    return [member](const TrainingOutcome& c) -> std::optional<double> {
      const std::optional<Estimate> estimate = c.*member;
      return estimate ? std::optional(estimate->value) : std::nullopt;
    };
  };
  add_row(table, comparison, language.say("column.platform"), [](const auto& c) { return c.platform; });
  add_row(table, comparison, "GPUs", [](const auto& c) { return grouped(c.accelerators); });
  add_row(table, comparison, language.say("figure.strategy"), strategy_cell);
  figure("figure.step_time", value_of(&TrainingOutcome::step_time), as(Measure::kTime));
  add_row(table, comparison, language.say("figure.step_interval"),
          [](const auto& c) { return say_interval(c.step_time, Measure::kTime); });
  figure("figure.tokens_per_gpu", value_of(&TrainingOutcome::tokens_per_second_per_gpu),
         [](const auto& value) { return grouped(std::int64_t(*value)); });
  add_row(table, comparison, "MFU",
          [](const auto& c) { return c.mfu.value > 0 ? percent(c.mfu.value) : std::string("–"); });
  add_row(table, comparison, language.say("figure.memory"),
          [](const auto& c) { return in_gib(c.memory.peak.value) + " / " + in_gib(c.memory.capacity); });
  add_row(table, comparison, language.say("figure.ettr"),
          [](const auto& c) { return c.ettr ? percent(c.ettr->value) : std::string("–"); });
  figure("figure.time_to_train", value_of(&TrainingOutcome::time_to_train), as(Measure::kTime));
  figure("figure.cost", value_of(&TrainingOutcome::cost), as(Measure::kMoney));
  figure("figure.energy", value_of(&TrainingOutcome::energy), as(Measure::kEnergy));
}

bool same_model(const Comparison& comparison) {
  const std::string& first = comparison.outcomes.front().model_name;
  return std::all_of(comparison.outcomes.begin(), comparison.outcomes.end(),
                     [&](const Outcome& outcome) { return outcome.model_name == first; });
}

void add_models(TextTable& table, const Comparison& comparison, const Language& language) {
  std::vector<std::string> cells{language.say("figure.model")};
  for (const Outcome& outcome : comparison.outcomes) cells.push_back(outcome.model_name);
  table.row(std::move(cells));
}

/// Tokens per second of the whole centre.
double speed(const Outcome& outcome) {
  return outcome.training->tokens_per_second_per_gpu.value * double(outcome.training->accelerators);
}

/// Which column is fastest and by how much, honest about intervals that overlap.
std::string verdict(const Comparison& comparison, const Reader& reader) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < comparison.outcomes.size(); ++i) {
    if (comparison.outcomes[i].feasible) order.push_back(i);
  }
  if (order.empty())
    return paint(paragraph(reader.language.say("compare.none_fits"), reader), Paint::kBad, reader.terminal);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(-speed(comparison.outcomes[a]), a) < std::pair(-speed(comparison.outcomes[b]), b);
  });
  const std::string& best = comparison.names[order.front()];
  if (order.size() == 1)
    return paint(paragraph(reader.language.say("compare.one_fits", {best}), reader), Paint::kGood, reader.terminal);
  const double ratio = speed(comparison.outcomes[order[0]]) / speed(comparison.outcomes[order[1]]);
  const std::string& second = comparison.names[order[1]];
  const std::string ahead = percent(ratio - 1);
  const std::string text = ahead == percent(0) ? reader.language.say("compare.equal", {best, second})
                                               : reader.language.say("compare.fastest", {best, ahead, second});
  return paint(paragraph(text, reader), Paint::kGood, reader.terminal);
}

/// Where a column's step differs most from the first one's: its parts, for the same number of sequences.
std::string differences(const Comparison& comparison, const Reader& reader) {
  constexpr double kWorthSaying = 0.002;
  constexpr std::size_t kMost = 3;
  const Language& language = reader.language;
  const Outcome& first = comparison.outcomes.front();
  std::string out;
  for (std::size_t i = 1; first.feasible && i < comparison.outcomes.size(); ++i) {
    if (!comparison.outcomes[i].feasible) continue;
    const TrainingOutcome& from = *first.training;
    const TrainingOutcome& to = *comparison.outcomes[i].training;
    const double scale = double(from.strategy.global_batch) / double(to.strategy.global_batch);
    std::vector<std::pair<double, std::string>> parts;
    for (std::size_t part = 0; part < std::min(from.breakdown.parts.size(), to.breakdown.parts.size()); ++part) {
      const double change = to.breakdown.parts[part].value * scale - from.breakdown.parts[part].value;
      if (std::abs(change) >= kWorthSaying * from.step_time.value)
        parts.emplace_back(change, to.breakdown.parts[part].name);
    }
    std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
      return std::pair(-std::abs(a.first), a.second) < std::pair(-std::abs(b.first), b.second);
    });
    std::string list;
    for (std::size_t part = 0; part < std::min(parts.size(), kMost); ++part) {
      const double change = parts[part].first;
      list += (list.empty() ? "" : language.say("list.comma")) + language.say(parts[part].second) + " " +
              (change < 0 ? "−" : "+") + say_value(std::abs(change), Measure::kTime);
    }
    const char* id = list.empty() ? "compare.differs_nowhere" : "compare.differs";
    out += paragraph(language.say(id, {comparison.names[i], comparison.names.front(), list}), reader);
  }
  return out.empty() ? out : "\n" + out;
}

}  // namespace

std::string comparison_text(const Comparison& comparison, const Reader& reader) {
  if (!comparison.facts.empty()) return facts_text(comparison, reader);
  // Tokens of different models are different work: only columns of one model have a winner.
  const bool one_model = same_model(comparison);
  const std::string head = one_model
                               ? comparison.outcomes.front().model_name
                               : reader.language.say("compare.headline", {std::to_string(comparison.outcomes.size())});
  std::string out = paint(head, Paint::kBold, reader.terminal) + "\n\n";
  if (one_model) out += verdict(comparison, reader) + "\n";
  TextTable table = with_heads(comparison);
  if (!one_model) add_models(table, comparison, reader.language);
  add_figures(table, comparison, reader.language);
  out += table.draw(reader.terminal);
  if (one_model) out += differences(comparison, reader);
  std::vector<base::Message> warnings;
  for (std::size_t i = 0; i < comparison.outcomes.size(); ++i) {
    if (!comparison.outcomes[i].feasible) warnings.push_back({"compare.does_not_fit", {comparison.names[i]}});
    for (const base::Message& warning : comparison.outcomes[i].warnings) {
      if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(warning);
    }
  }
  if (!warnings.empty()) out += "\n" + warning_lines(warnings, reader);
  return out;
}

}  // namespace headrace::report
