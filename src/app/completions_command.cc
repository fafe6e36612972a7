// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "app/help.h"
#include "app/scenario_verb.h"
#include "base/value.h"
#include "scenario/built_in.h"

namespace headrace::app {
namespace {

std::string verb_names() {
  std::string names;
  for (const Command& command : commands()) names += (names.empty() ? "" : " ") + std::string(command.name);
  return names;
}

std::string scenario_names() {
  std::string names;
  for (const scenario::BuiltIn& built_in : scenario::built_ins()) names += (names.empty() ? "" : " ") + built_in.id;
  return names;
}

std::string flag_names(const Command& command) {
  std::string names;
  for (const Flag& flag : command.flags()) names += (names.empty() ? "" : " ") + std::string(flag.name);
  return names;
}

std::string bash_script(const report::Language&) {
  std::string cases;
  for (const Command& command : commands())
    cases += fmt::format("    {}) words=\"{}{}\" ;;\n", command.name,
                         command.reads_scenario ? scenario_names() + " " : "", flag_names(command));
  return fmt::format(
      "_headrace() {{\n"
      "  local words=\"{}\"\n"
      "  if [ \"$COMP_CWORD\" -gt 1 ]; then case \"${{COMP_WORDS[1]}}\" in\n{}  esac; fi\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"${{COMP_WORDS[COMP_CWORD]}}\") $(compgen -f -- "
      "\"${{COMP_WORDS[COMP_CWORD]}}\"))\n"
      "}}\n"
      "complete -o filenames -F _headrace headrace\n",
      verb_names(), cases);
}

/// Words in a zsh or fish script stand in single quotes.
std::string quoted(std::string text) {
  for (std::size_t at = text.find('\''); at != std::string::npos; at = text.find('\'', at + 4))
    text.replace(at, 1, "'\\''");
  return "'" + text + "'";
}

std::string without(std::string text, const char* characters) {
  for (std::size_t at = text.find_first_of(characters); at != std::string::npos;
       at = text.find_first_of(characters, at))
    text.erase(at, 1);
  return text;
}

std::string zsh_script(const report::Language& language) {
  std::string verbs;
  std::string cases;
  for (const Command& command : commands()) {
    verbs += fmt::format(" {}", quoted(fmt::format("{}:{}", command.name, language.say(command.summary))));
    std::string flags;
    for (const Flag& flag : command.flags()) {
      const std::string help = without(language.say(flag.help), "[]:");
      const char* values = flag.value.empty() ? "" : flag.kind == FlagKind::kFile ? ":file:_files" : ":value:";
      flags += " \\\n      " + quoted(fmt::format("{}{}[{}]{}", flag.repeats ? "*" : "", flag.name, help, values));
    }
    const std::string words =
        command.reads_scenario ? fmt::format(" \\\n      '*:scenario:({})'", scenario_names()) : "";
    cases += fmt::format("    {}) _arguments{}{} ;;\n", command.name, flags, words);
  }
  return fmt::format(
      "#compdef headrace\n"
      "_headrace() {{\n"
      "  local -a verbs=({})\n"
      "  if (( CURRENT == 2 )); then _describe verb verbs; return; fi\n"
      "  shift words; (( CURRENT-- ))\n"
      "  case $words[1] in\n{}  esac\n"
      "}}\n"
      "compdef _headrace headrace\n",
      verbs, cases);
}

std::string fish_script(const report::Language& language) {
  std::string out = "complete -c headrace -n __fish_use_subcommand -f\n";
  for (const Command& command : commands()) {
    out += fmt::format("complete -c headrace -n __fish_use_subcommand -a {} -d {}\n", command.name,
                       quoted(language.say(command.summary)));
    const std::string when = fmt::format("-n '__fish_seen_subcommand_from {}'", command.name);
    if (command.reads_scenario) out += fmt::format("complete -c headrace {} -a {}\n", when, quoted(scenario_names()));
    for (const Flag& flag : command.flags()) {
      const std::string letter = flag.letter.empty() ? "" : fmt::format(" -s {}", flag.letter.substr(1));
      const char* value = flag.value.empty() ? "" : flag.kind == FlagKind::kFile ? " -r -F" : " -x";
      out += fmt::format("complete -c headrace {} -l {}{}{} -d {}\n", when, flag.name.substr(2), letter, value,
                         quoted(language.say(flag.help)));
    }
  }
  return out;
}

base::Result<ExitCode> run(Session& session) {
  TRY(const std::string shell, only_word(session));
  std::string script;
  if (shell == "bash") script = bash_script(session.language());
  if (shell == "zsh") script = zsh_script(session.language());
  if (shell == "fish") script = fish_script(session.language());
  if (script.empty())
    return base::input_error({}, "completions.shell", {shell}, base::nearest_hint(shell, {"bash", "zsh", "fish"}));
  CHECK_OK(write_stdout(script));
  return ExitCode::kAnswered;
}

}  // namespace

Command completions_command() {
  return {.name = "completions",
          .words = "bash|zsh|fish",
          .summary = "verb.completions",
          .details = "verb.completions.details",
          .reads_scenario = false,
          .own_flags = {},
          .run = run};
}

}  // namespace headrace::app
