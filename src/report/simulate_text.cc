// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "report/text_parts.h"

namespace headrace::report {
namespace {

using base::Measure;
using scenario::Outcome;
using scenario::TrainingOutcome;
using Align = TextTable::Align;

constexpr int kBarColumns = 30;

/// Parts of a total with their share and a bar; what is zero is left out.
std::string parts_table(const base::Breakdown& breakdown, const char* head, auto&& show, const Reader& reader) {
  const double total = breakdown.total();
  TextTable table;
  table.column(reader.language.say(head));
  table.column("", Align::kRight);
  table.column("", Align::kRight);
  table.column("");
  for (const base::Share& part : breakdown.parts) {
    if (part.value <= 0) continue;
    table.row({reader.language.say(part.name), show(part.value), percent(part.value / total),
               paint(bar(part.value / total, kBarColumns), Paint::kAccent, reader.terminal)});
  }
  return table.draw(reader.terminal);
}

std::string memory_section(const TrainingOutcome& choice, const Reader& reader) {
  const Language& language = reader.language;
  const scenario::MemoryOutcome& memory = choice.memory;
  std::string peak =
      language.say("simulate.memory", {say_estimate(memory.peak, Measure::kBytes), in_gib(memory.capacity),
                                       percent(memory.peak.value / memory.capacity, 0)});
  if (choice.strategy.pipeline > 1) {
    peak += language.say("simulate.memory_stage",
                         {std::to_string(memory.peak_stage + 1), std::to_string(choice.strategy.pipeline)});
  }
  return paragraph(peak, reader) +
         parts_table(
             memory.parts, "column.fullest_memory", [](double value) { return in_gib(value) + " GiB"; }, reader);
}

void add_fact(TextTable& table, const std::string& name, const std::string& value) { table.row({name, value}); }

std::string unless_unknown(const std::optional<base::Estimate>& estimate, Measure measure, const Language& language) {
  return estimate ? say_estimate(*estimate, measure, language) : language.say("fact.unknown");
}

/// "1.13 TB every 38 min, written in 94 s".
std::string checkpoint_line(const scenario::CheckpointOutcome& checkpoint, const Language& language) {
  const std::string bytes = say_value(checkpoint.bytes, Measure::kBytes);
  const std::string write = say_estimate(checkpoint.write_time, Measure::kTime);
  if (!std::isfinite(checkpoint.interval)) return language.say("run.checkpoint_none", {bytes, write});
  return language.say("run.checkpoint", {bytes, say_value(checkpoint.interval, Measure::kTime), write}) +
         (checkpoint.asynchronous ? language.say("run.asynchronous") : "");
}

/// A single price, or the median of several with the lowest and the highest.
std::string price_line(const base::Estimate& price, const Language& language) {
  const std::string hourly = say_value(price.value / 3600, Measure::kRentPrice);
  if (price.low == price.high) return hourly;
  const auto bare = [](double value) { return say_value(value, Measure::kMoney); };
  return language.say("run.prices", {hourly, bare(price.low), bare(price.high)});
}

/// What a run meets beside its steps.
void add_run(TextTable& table, const TrainingOutcome& choice, const Language& language) {
  if (!choice.ettr || !choice.failures || !choice.checkpoint) return;
  const base::Estimate& failures = *choice.failures;
  const auto count = [](double value) { return short_count(value); };
  const std::string range = count(failures.value) + " (" + count(failures.low) + "–" + count(failures.high) + ")";
  const bool daily = failures.unit == "1/day";
  add_fact(table, language.say("figure.ettr"),
           percent(choice.ettr->value) + " (" + percent(choice.ettr->low) + "–" + percent(choice.ettr->high) + ")");
  add_fact(table, language.say("figure.failures"), daily ? language.say("run.failures_per_day", {range}) : range);
  add_fact(table, language.say("figure.checkpoint"), checkpoint_line(*choice.checkpoint, language));
}

/// The figures of a step and of the whole run, one per line.
std::string figures(const TrainingOutcome& choice, const Reader& reader) {
  const Language& language = reader.language;
  TextTable table;
  table.column("");
  table.column("");
  add_fact(table, language.say("figure.step_time"), say_estimate(choice.step_time, Measure::kTime));
  add_fact(table, language.say("figure.tokens_per_gpu"),
           grouped(std::int64_t(choice.tokens_per_second_per_gpu.value)) + " tokens/s");
  add_fact(table, language.say("figure.tokens"),
           short_count(choice.tokens_per_second_per_gpu.value * double(choice.accelerators)) + " tokens/s");
  add_fact(table, language.say("figure.tflops"), say_estimate(choice.model_tflops_per_gpu, Measure::kCompute, 1e12));
  if (choice.mfu.value > 0)
    add_fact(table, language.say("figure.mfu"), percent(choice.mfu.value) + " · HFU " + percent(choice.hfu.value));
  add_fact(table, language.say("figure.power"), unless_unknown(choice.power_per_gpu, Measure::kPower, language));
  add_run(table, choice, language);
  add_fact(table, language.say("figure.time_to_train"), unless_unknown(choice.time_to_train, Measure::kTime, language));
  add_fact(table, language.say("figure.energy"), unless_unknown(choice.energy, Measure::kEnergy, language));
  if (choice.carbon)
    add_fact(table, language.say("figure.carbon"), short_count(choice.carbon->value / 1e6) + " t CO₂e");
  if (choice.electricity)
    add_fact(table, language.say("figure.electricity"), say_estimate(*choice.electricity, Measure::kMoney));
  if (choice.price_per_gpu_hour)
    add_fact(table, language.say("figure.rent"), price_line(*choice.price_per_gpu_hour, language));
  add_fact(table, language.say("figure.cost"), unless_unknown(choice.cost, Measure::kMoney, language));
  return table.draw(reader.terminal);
}

}  // namespace

std::string simulate_text(const Outcome& outcome, const Reader& reader) {
  const Language& language = reader.language;
  std::string out = headline(outcome, reader) + "\n";
  if (!outcome.training)
    return out + paint(paragraph(language.say("plan.limits_keep_out"), reader), Paint::kBad, reader.terminal);
  const TrainingOutcome& choice = *outcome.training;
  if (!choice.fits) {
    out += paint(paragraph(language.say("simulate.does_not_fit",
                                        {in_gib(choice.memory.peak.value), in_gib(choice.memory.capacity),
                                         percent(outcome.scenario.objective.memory_headroom, 0)}),
                           reader),
                 Paint::kBad, reader.terminal);
  }
  out += conclusion(outcome, choice, reader) + "\n";
  out += parts_table(
             choice.breakdown, "column.where_step_goes", [](double value) { return say_value(value, Measure::kTime); },
             reader) +
         "\n";
  out += memory_section(choice, reader) + "\n";
  out += figures(choice, reader);
  if (!outcome.warnings.empty()) out += "\n" + warning_lines(outcome.warnings, reader);
  if (reader.verbose) {
    out += "\n";
    for (const scenario::Provenance& fact : outcome.provenance)
      out += paint(paragraph(language.say(fact.what) + " " + fact.value + ": " + language.say(fact.source), reader),
                   Paint::kDim, reader.terminal);
  }
  return out;
}

}  // namespace headrace::report
