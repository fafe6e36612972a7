// SPDX-License-Identifier: Apache-2.0
#include "app/help.h"

#include <algorithm>

namespace headrace::app {
namespace {

using report::Language;
using report::Paint;
using report::Terminal;

std::string heading(const Language& language, const char* id, const Terminal& terminal) {
  return report::paint(language.say(id), Paint::kBold, terminal) + "\n";
}

/// Two columns: a term, and its text wrapped beside it.
std::string definition(const std::string& term, const std::string& text, int term_columns, const Terminal& terminal) {
  constexpr int kMargin = 2, kGap = 2;
  const int indent = kMargin + term_columns + kGap;
  std::string out(kMargin, ' ');
  out += report::paint(term, Paint::kAccent, terminal);
  const int width = report::display_width(term);
  out += width <= term_columns ? std::string(std::size_t(term_columns - width + kGap), ' ')
                               : "\n" + std::string(std::size_t(indent), ' ');
  return out + report::wrap(text, terminal.columns, indent) + "\n";
}

std::string flag_text(const Flag& flag, const Language& language) {
  std::string text = language.say(flag.help);
  if (!flag.otherwise.empty()) text += language.say("help.default", {std::string(flag.otherwise)});
  return text;
}

std::string flag_list(std::span<const Flag> flags, const Language& language, const Terminal& terminal) {
  int width = 0;
  constexpr int kWidestTerm = 24;
  for (const Flag& flag : flags) width = std::max(width, report::display_width(flag_usage(flag)));
  std::string out;
  for (const Flag& flag : flags)
    out += definition(flag_usage(flag), flag_text(flag, language), std::min(width, kWidestTerm), terminal);
  return out;
}

std::string verb_list(const Language& language, const Terminal& terminal) {
  constexpr int kVerbColumns = 11;
  std::string out;
  for (const Command& command : commands())
    out += definition(std::string(command.name), language.say(command.summary), kVerbColumns, terminal);
  return out;
}

}  // namespace

std::string flag_usage(const Flag& flag) {
  std::string usage = flag.letter.empty() ? "    " : std::string(flag.letter) + ", ";
  usage += flag.name;
  if (!flag.value.empty()) usage += " " + std::string(flag.value);
  return usage;
}

std::string start_page(const Language& language, const Terminal& terminal) {
  std::string out = report::paint("Headrace", Paint::kBold, terminal) + " " HEADRACE_VERSION "\n";
  out += report::wrap(language.say("start.what"), terminal.columns) + "\n\n";
  constexpr const char* kJourneys[][2] = {
      {"start.plan", "headrace plan llama3-70b-pretrain"},
      {"start.own", "headrace plan --model ./config.json --on dgx-h100 --nodes 16 --seq 8192 --batch 1024"},
      {"start.why", "headrace explain llama3-70b-pretrain"},
      {"start.which", "headrace compare llama3-70b-pretrain dgx-h200 dgx-b200"},
      {"start.trust", "headrace validate"}};
  for (const auto& [question, command] : kJourneys) {
    out += "  " + language.say(question) + "\n";
    out += "    " + report::paint(command, Paint::kAccent, terminal) + "\n";
  }
  return out + "\n" + report::wrap(language.say("start.more"), terminal.columns) + "\n";
}

std::string overview(const Language& language, const Terminal& terminal) {
  std::string out = report::wrap(language.say("start.what"), terminal.columns) + "\n\n";
  out += heading(language, "help.usage", terminal) + "  headrace VERB ...\n\n";
  out += heading(language, "help.verbs", terminal) + verb_list(language, terminal) + "\n";
  out += report::wrap(language.say("help.more"), terminal.columns) + "\n\n";
  return out + report::wrap(language.say("help.exit_codes"), terminal.columns) + "\n";
}

std::string help_of(const Command& command, const Language& language, const Terminal& terminal) {
  std::string out = report::wrap(language.say(command.summary), terminal.columns) + "\n\n";
  out += heading(language, "help.usage", terminal) + "  headrace " + std::string(command.name);
  if (!command.words.empty()) out += " " + std::string(command.words);
  out += " " + language.say("help.options_word") + "\n\n";
  if (!command.own_flags.empty())
    out += heading(language, "help.own_options", terminal) + flag_list(command.own_flags, language, terminal) + "\n";
  if (command.reads_scenario)
    out +=
        heading(language, "help.scenario_options", terminal) + flag_list(scenario_flags(), language, terminal) + "\n";
  out += heading(language, "help.common_options", terminal) + flag_list(common_flags(), language, terminal);
  if (!command.details.empty())
    out += "\n" + heading(language, "help.examples", terminal) + language.say(command.details) + "\n";
  return out;
}

}  // namespace headrace::app
