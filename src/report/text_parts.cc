// SPDX-License-Identifier: Apache-2.0
#include "report/text_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scenario/names.h"

namespace headrace::report {
namespace {

using base::Measure;
using scenario::Outcome;
using scenario::TrainingOutcome;

constexpr double kWorthSaying = 0.01;

/// Names of nodes in plain numbers: "128 × dgx-h100 (1,024 GPUs)"; a lone accelerator needs no count.
std::string centre(const TrainingOutcome& choice, const Language& language) {
  const std::string gpus = grouped(choice.accelerators);
  if (choice.nodes > 1) return language.say("centre.nodes", {grouped(choice.nodes), choice.platform, gpus});
  return language.say(choice.accelerators == 1 ? "centre.one" : "centre.node",
                      {choice.platform, gpus, choice.accelerator});
}

std::string run_sentence(const TrainingOutcome& choice, const scenario::Scenario& scenario, const Language& language) {
  const bool whole = scenario.training.adaptation.kind == scenario::FineTuning::kFull;
  const char* cost = scenario.money.purchase ? "plan.cost_purchase"
                     : scenario.money.rent   ? "plan.cost_given"
                                             : "plan.cost";
  std::string sentence = language.say(whole ? "plan.train_in" : "plan.tune_in",
                                      {say_estimate(*choice.time_to_train, Measure::kTime, language)});
  sentence += language.say("plan.gpu_hours", {short_count(choice.gpu_hours->value)});
  if (choice.cost) sentence += language.say(cost, {say_estimate(*choice.cost, Measure::kMoney)});
  if (choice.energy) sentence += language.say("plan.energy", {say_value(choice.energy->value, Measure::kEnergy)});
  return sentence + language.say("plan.end");
}

/// What can be said of a run whose tokens are unknown.
std::string rate_sentence(const TrainingOutcome& choice, const Language& language) {
  constexpr double kDay = 86400, kHour = 3600, kBillion = 1e9;
  const double per_gpu = choice.tokens_per_second_per_gpu.value;
  return language.say("plan.tokens_a_day", {short_count(per_gpu * double(choice.accelerators) * kDay),
                                            short_count(kBillion / per_gpu / kHour)});
}

std::string step_sentence(const TrainingOutcome& choice, const Language& language) {
  std::string line = language.say("plan.step", {say_estimate(choice.step_time, Measure::kTime)});
  if (choice.mfu.value > 0) line += " · " + percent(choice.mfu.value) + " MFU";
  line += " · " + language.say("plan.tokens_per_gpu",
                               {grouped(std::int64_t(std::llround(choice.tokens_per_second_per_gpu.value)))});
  const char* memory = choice.strategy.pipeline > 1 ? "plan.memory_stage" : "plan.memory";
  line += " · " + language.say(memory, {in_gib(choice.memory.peak.value), in_gib(choice.memory.capacity)});
  return line;
}

}  // namespace

std::string called(const scenario::Scenario& scenario) { return scenario.called; }

std::string paragraph(const std::string& text, const Reader& reader, int indent) {
  const std::string margin(std::size_t(indent), ' ');
  return margin + wrap(text, reader.terminal.columns, indent) + "\n";
}

std::string headline(const Outcome& outcome, const Reader& reader) {
  const Language& language = reader.language;
  std::string line = outcome.model_name;
  if (outcome.training) line = language.say("headline.on", {line, centre(*outcome.training, language)});
  const scenario::Training& training = outcome.scenario.training;
  if (training.adaptation.kind != scenario::FineTuning::kFull)
    line += language.say("headline.part", {training.adaptation.kind == scenario::FineTuning::kLora ? "LoRA" : "QLoRA"});
  if (training.tokens)
    line += language.say("headline.part", {base::print_quantity(training.tokens->value(), Measure::kTokens)});
  line += language.say("headline.part", {language.say("headline.sequence", {grouped(training.sequence)})});
  line += language.say("headline.part", {base::dtype_name(training.precision)});
  return paint(wrap(line, reader.terminal.columns), Paint::kBold, reader.terminal) + "\n";
}

std::string conclusion(const Outcome& outcome, const TrainingOutcome& choice, const Reader& reader) {
  std::string out;
  if (outcome.feasible) {
    const std::string sentence = choice.time_to_train ? run_sentence(choice, outcome.scenario, reader.language)
                                                      : rate_sentence(choice, reader.language);
    out += paint(paragraph(sentence, reader), Paint::kGood, reader.terminal);
  }
  out += paragraph(strategy_line(choice.strategy, reader.language), reader);
  out += paragraph(step_sentence(choice, reader.language), reader);
  return out;
}

std::string bound_line(const TrainingOutcome& choice, const Reader& reader) {
  std::vector<base::Share> parts = choice.breakdown.parts;
  std::sort(parts.begin(), parts.end(),
            [](const auto& a, const auto& b) { return std::pair(-a.value, a.name) < std::pair(-b.value, b.name); });
  const double total = choice.breakdown.total();
  std::string list;
  for (const base::Share& part : parts) {
    const double share = part.value / total;
    if (share < kWorthSaying) continue;
    list += (list.empty() ? "" : reader.language.say("list.comma")) + reader.language.say(part.name) + " " +
            percent(share, 0);
  }
  return paragraph(reader.language.say("plan.bound_by", {list}), reader);
}

std::string gain_line(const TrainingOutcome& choice, const Reader& reader) {
  std::string list;
  for (const scenario::Gain& gain : choice.gains)
    list += (list.empty() ? "" : " · ") + reader.language.say(gain.resource) + " " + signed_percent(gain.change);
  return list.empty() ? "" : paragraph(reader.language.say("plan.ten_percent_more", {list}), reader);
}

std::string warning_lines(const std::vector<base::Message>& warnings, const Reader& reader) {
  std::string out;
  for (const base::Message& warning : warnings)
    out += paint(paragraph(reader.language.say("note", {reader.language.say(warning)}), reader), Paint::kWarn,
                 reader.terminal);
  return out;
}

std::string bar(double fraction, int columns) {
  constexpr std::array kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int eighths = int(std::lround(std::clamp(fraction, 0.0, 1.0) * columns * 8));
  std::string out;
  for (int i = 0; i < eighths / 8; ++i) out += "█";
  return out + kEighths[std::size_t(eighths % 8)];
}

std::string set_options(const scenario::Strategy& s) {
  std::string map;
  const auto add = [&](const std::string& key, const std::string& value) {
    map += (map.empty() ? "" : ", ") + key + ": " + value;
  };
  add("tensor", std::to_string(s.tensor));
  add("pipeline", std::to_string(s.pipeline));
  add("virtual_pipeline", std::to_string(s.virtual_pipeline));
  add("context", std::to_string(s.context));
  if (scenario::exchanges_heads(s)) add("context_kind", std::string(scenario::name_of(s.context_kind)));
  if (s.expert > 1) add("expert", std::to_string(s.expert));
  if (s.expert > 1) add("expert_tensor", std::to_string(s.expert_tensor));
  add("micro_batch", std::to_string(s.micro_batch));
  add("data_parallel", std::string(scenario::name_of(s.data_parallel)));
  if (s.shard_group > 0) add("shard_group", std::to_string(s.shard_group));
  add("sequence_parallel", s.sequence_parallel ? "true" : "false");
  add("recompute", std::string(scenario::name_of(s.recompute)));
  if (s.recompute == scenario::Recompute::kFull) add("recompute_layers", std::to_string(s.recompute_layers));
  if (s.offload_optimizer) add("offload_optimizer", "true");
  return "--set 'strategy={" + map + "}'";
}

}  // namespace headrace::report
