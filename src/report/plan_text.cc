// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "report/text_parts.h"
#include "scenario/names.h"

namespace headrace::report {
namespace {

using base::Measure;
using scenario::Outcome;
using scenario::TrainingOutcome;
using Align = TextTable::Align;

/// Columns of the table of choices that differ in this plan: what is the same everywhere is said above the table
/// already.
struct Columns {
  bool intervals = true, platform = false, nodes = false, virtual_pipeline = false, context = false, expert = false,
       batch = false, offload = false, overlap = false, sequence_parallel = false, variants = false;
};

template <typename Get>
bool varies(const std::vector<TrainingOutcome>& choices, Get get) {
  return std::any_of(choices.begin(), choices.end(),
                     [&](const TrainingOutcome& c) { return get(c) != get(choices.front()); });
}

/// What runs beside the computation: gradients, parameters, tensor-parallel communication.
std::string overlap_cell(const scenario::Strategy& s) {
  std::string cell;
  for (const auto& [on, name] : {std::pair{s.overlap_gradient_reduce, "grad"},
                                 {s.overlap_parameter_gather, "param"},
                                 {s.overlap_tensor, "tp"}}) {
    if (on) cell += (cell.empty() ? "" : "+") + std::string(name);
  }
  return cell.empty() ? "–" : cell;
}

Columns columns_of(const std::vector<TrainingOutcome>& choices) {
  const auto above_one = [&](auto get) {
    return std::any_of(choices.begin(), choices.end(), [&](const auto& c) { return get(c) > 1; });
  };
  Columns columns;
  columns.platform = varies(choices, [](const auto& c) { return c.platform; });
  columns.nodes = varies(choices, [](const auto& c) { return c.accelerators; });
  columns.virtual_pipeline = above_one([](const auto& c) { return c.strategy.virtual_pipeline; });
  columns.context = above_one([](const auto& c) { return c.strategy.context; });
  columns.expert = above_one([](const auto& c) { return c.strategy.expert; });
  columns.batch = varies(choices, [](const auto& c) { return c.strategy.global_batch; });
  columns.overlap = varies(choices, [](const auto& c) { return overlap_cell(c.strategy); });
  columns.offload = varies(choices, [](const auto& c) { return c.strategy.offload_optimizer; });
  columns.sequence_parallel = varies(choices, [](const auto& c) { return c.strategy.sequence_parallel; });
  columns.variants = std::any_of(choices.begin(), choices.end(), [](const auto& c) { return c.variants > 0; });
  return columns;
}

std::string recompute_cell(const scenario::Strategy& s) {
  std::string cell(scenario::name_of(s.recompute));
  if (s.recompute == scenario::Recompute::kFull && s.recompute_layers >= 0)
    cell += " " + std::to_string(s.recompute_layers);
  return cell;
}

/// The choices that this one can't be told from, itself among them, as runs: "1–4, 7".
std::string ties_cell(int number, std::vector<int> ties) {
  if (ties.empty()) return "";
  ties.push_back(number);
  std::sort(ties.begin(), ties.end());
  std::string cell;
  for (std::size_t i = 0; i < ties.size();) {
    std::size_t last = i;
    while (last + 1 < ties.size() && ties[last + 1] == ties[last] + 1) ++last;
    cell += (cell.empty() ? "" : ", ") + std::to_string(ties[i]);
    if (last > i) cell += "–" + std::to_string(ties[last]);
    i = last + 1;
  }
  return cell;
}

void add_heads(TextTable& table, const Columns& show, const Language& language) {
  table.column("#", Align::kRight);
  if (show.platform) table.column(language.say("column.platform"));
  if (show.nodes) table.column("GPUs", Align::kRight);
  table.column("TP", Align::kRight);
  table.column("PP", Align::kRight);
  if (show.virtual_pipeline) table.column("VP", Align::kRight);
  if (show.context) table.column("CP", Align::kRight);
  if (show.expert) table.column("EP", Align::kRight);
  table.column("DP", Align::kRight);
  table.column(language.say("column.sharding"));
  table.column("mb", Align::kRight);
  if (show.batch) table.column(language.say("column.batch"), Align::kRight);
  if (show.sequence_parallel) table.column("SP");
  table.column(language.say("column.recompute"));
  if (show.overlap) table.column(language.say("column.overlap"));
  if (show.offload) table.column(language.say("column.offload"));
  table.column(language.say("column.step"));
  table.column("MFU", Align::kRight);
  table.column("GiB", Align::kRight);
  if (show.variants) table.column(language.say("column.variants"), Align::kRight);
  table.column(language.say("column.ties"));
}

std::vector<std::string> cells(int number, const TrainingOutcome& choice, const Columns& show) {
  const scenario::Strategy& s = choice.strategy;
  std::vector<std::string> row{std::to_string(number)};
  if (show.platform) row.push_back(choice.platform);
  if (show.nodes) row.push_back(grouped(choice.accelerators));
  row.push_back(std::to_string(s.tensor));
  row.push_back(std::to_string(s.pipeline));
  if (show.virtual_pipeline) row.push_back(std::to_string(s.virtual_pipeline));
  if (show.context) row.push_back(context_degree(s));
  if (show.expert) row.push_back(std::to_string(s.expert));
  row.push_back(std::to_string(s.data));
  row.push_back(s.data > 1 ? data_parallel_label(s) : "–");
  row.push_back(std::to_string(s.micro_batch));
  if (show.batch) row.push_back(grouped(s.global_batch));
  if (show.sequence_parallel) row.push_back(s.sequence_parallel ? "✓" : "");
  row.push_back(recompute_cell(s));
  if (show.overlap) row.push_back(overlap_cell(s));
  if (show.offload) row.push_back(s.offload_optimizer ? "✓" : "");
  row.push_back(show.intervals ? say_estimate(choice.step_time, Measure::kTime)
                               : say_value(choice.step_time.value, Measure::kTime));
  row.push_back(choice.mfu.value > 0 ? percent(choice.mfu.value) : "–");
  row.push_back(in_gib(choice.memory.peak.value));
  if (show.variants) row.push_back(choice.variants > 0 ? "+" + grouped(choice.variants) : "");
  row.push_back(ties_cell(number, choice.ties));
  return row;
}

std::string drawn(const Outcome& outcome, const Columns& show, const Reader& reader) {
  TextTable table;
  add_heads(table, show, reader.language);
  int number = 0;
  for (const TrainingOutcome& choice : outcome.layouts) {
    auto row = cells(++number, choice, show);
    if (number == 1 && reader.terminal.color)
      for (std::string& cell : row) cell = paint(cell, Paint::kBold, reader.terminal);
    table.row(std::move(row));
  }
  return table.draw(reader.terminal);
}

/// Whether a table is neither cut nor wider than the terminal.
bool fits(const std::string& table, const Terminal& terminal) {
  if (table.find("…") != std::string::npos) return false;
  for (std::size_t begin = 0; begin < table.size();) {
    const std::size_t end = std::min(table.find('\n', begin), table.size());
    if (display_width(std::string_view(table).substr(begin, end - begin)) > terminal.columns) return false;
    begin = end + 1;
  }
  return true;
}

/// A narrow terminal loses first what the lines above the table say already, or what matters least.
std::string choice_table(const Outcome& outcome, const Reader& reader) {
  Columns show = columns_of(outcome.layouts);
  std::string table = drawn(outcome, show, reader);
  for (bool* column : {&show.sequence_parallel, &show.overlap, &show.intervals, &show.variants, &show.offload}) {
    if (fits(table, reader.terminal)) break;
    *column = false;
    table = drawn(outcome, show, reader);
  }
  // What the rows leave out.
  if (show.variants)
    table += paint(paragraph(reader.language.say("plan.variants"), reader), Paint::kDim, reader.terminal);
  return table;
}

/// What can't be told apart, and the cheapest run that would tell.
std::string tie_lines(const Outcome& outcome, const Reader& reader) {
  const std::vector<int>& ties = outcome.layouts.front().ties;
  if (ties.empty()) return "";
  const bool one = ties.size() == 1;
  const std::string last = std::to_string(ties.back());
  const bool run = ties.size() >= 2 && ties.back() - ties.front() + 1 == int(ties.size()) && ties.front() == 2;
  std::string others;
  for (const int tie : ties) others += (others.empty() ? "" : ", ") + std::to_string(tie);
  const std::string text = one   ? reader.language.say("plan.tie_one", {last})
                           : run ? reader.language.say("plan.tie_range", {last})
                                 : reader.language.say("plan.tie_list", {others});
  return paragraph(text, reader);
}

std::string search_line(const Outcome& outcome, const Reader& reader) {
  const scenario::SearchOutcome& search = *outcome.search;
  const Language& language = reader.language;
  std::string line = language.say("plan.searched", {grouped(search.space), grouped(search.evaluated),
                                                    grouped(search.pruned), say_value(search.seconds, Measure::kTime)});
  if (!search.exhaustive) line += language.say("plan.cancelled");
  line += language.say(outcome.training && outcome.training->step_time.basis == base::Basis::kAssumed
                           ? "plan.basis_assumed"
                           : "plan.basis_fitted");
  if (outcome.feasible && outcome.training->time_to_train)
    line += language.say("plan.run_counts", {percent(outcome.training->ettr->value)});
  return paint(wrap(line, reader.terminal.columns), Paint::kDim, reader.terminal) + "\n";
}

std::string next_lines(const std::vector<std::string>& commands, const Reader& reader) {
  std::string out;
  for (const std::string& command : commands)
    out += (out.empty() ? reader.language.say("plan.next") + " "
                        : std::string(std::size_t(display_width(reader.language.say("plan.next")) + 1), ' ')) +
           paint(command, Paint::kAccent, reader.terminal) + "\n";
  return out;
}

std::string infeasible_text(const Outcome& outcome, const Reader& reader) {
  const Language& language = reader.language;
  std::string out;
  if (outcome.training && !outcome.training->fits) {
    const TrainingOutcome& smallest = *outcome.training;
    out += paint(paragraph(language.say("plan.nothing_fits",
                                        {in_gib(smallest.memory.peak.value), in_gib(smallest.memory.capacity),
                                         percent(outcome.scenario.objective.memory_headroom, 0)}),
                           reader),
                 Paint::kBad, reader.terminal);
    out += paragraph(strategy_line(smallest.strategy, language), reader);
    std::string parts;
    for (const base::Share& part : smallest.memory.parts.parts)
      parts += (parts.empty() ? "" : language.say("list.comma")) + language.say(part.name) + " " + in_gib(part.value);
    out += paragraph(language.say("plan.smallest_memory", {parts}), reader);
  } else {
    out += paint(paragraph(language.say("plan.limits_keep_out"), reader), Paint::kBad, reader.terminal);
  }
  if (outcome.nearest.empty()) return out + "\n" + paragraph(language.say("plan.no_change_found"), reader);
  out += "\n" + paragraph(language.say("plan.would_fit"), reader);
  for (const scenario::Change& change : outcome.nearest) {
    out += paragraph("• " + language.say(change.what), reader, 4);
    out += paragraph(strategy_line(change.then.strategy, language), reader, 6);
    out += paragraph(
        language.say("plan.step", {say_estimate(change.then.step_time, Measure::kTime)}) + " · " +
            language.say("plan.memory", {in_gib(change.then.memory.peak.value), in_gib(change.then.memory.capacity)}),
        reader, 6);
    out += paint(paragraph("--set " + change.set, reader, 6), Paint::kAccent, reader.terminal);
  }
  return out;
}

}  // namespace

std::string plan_text(const Outcome& outcome, const Reader& reader) {
  std::string out = headline(outcome, reader) + "\n";
  if (!outcome.feasible) {
    out += infeasible_text(outcome, reader) + "\n" + warning_lines(outcome.warnings, reader);
    return out + search_line(outcome, reader);
  }
  const TrainingOutcome& best = *outcome.training;
  out += conclusion(outcome, best, reader) + "\n";
  out += bound_line(best, reader) + gain_line(best, reader) + "\n";
  out += choice_table(outcome, reader);
  out += tie_lines(outcome, reader);
  if (!outcome.warnings.empty()) out += "\n" + warning_lines(outcome.warnings, reader);
  const std::string name = called(outcome.scenario);
  std::vector<std::string> next{"headrace explain " + name, "headrace simulate " + name};
  if (reader.verbose) next.push_back("headrace simulate " + name + " " + set_options(best.strategy));
  out += "\n" + next_lines(next, reader);
  return out + search_line(outcome, reader);
}

}  // namespace headrace::report
