// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "app/help.h"
#include "app/scenario_verb.h"
#include "base/value.h"

namespace headrace::app {
namespace {

using report::Language;

std::string default_text(const Flag& flag, const Language& language) {
  return flag.otherwise.empty() ? std::string() : language.say("help.default", {std::string(flag.otherwise)});
}

std::string trimmed_usage(const Flag& flag) {
  const std::string usage = flag_usage(flag);
  return usage.substr(usage.find_first_not_of(' '));
}

std::string markdown_flags(std::span<const Flag> flags, const Language& language) {
  std::string out;
  for (const Flag& flag : flags)
    out += fmt::format("- `{}`: {}{}\n", trimmed_usage(flag), language.say(flag.help), default_text(flag, language));
  return out;
}

/// The examples of a verb as a code block.
std::string markdown_examples(const Command& command, const Language& language) {
  if (command.details.empty()) return "";
  return "\n```\n" + language.say(command.details) + "\n```\n";
}

std::string markdown(const Language& language) {
  std::string out = "# " + language.say("reference.title") + "\n\n" + language.say("reference.generated") + "\n";
  for (const Command& command : commands()) {
    out += fmt::format("\n## headrace {}{}{}\n\n{}\n", command.name, command.words.empty() ? "" : " ", command.words,
                       language.say(command.summary));
    if (!command.own_flags.empty()) out += "\n" + markdown_flags(command.own_flags, language);
    out += markdown_examples(command, language);
  }
  out += "\n## " + language.say("help.scenario_options") + "\n\n" + markdown_flags(scenario_flags(), language);
  out += "\n## " + language.say("help.common_options") + "\n\n" + markdown_flags(common_flags(), language);
  return out + "\n" + language.say("help.exit_codes") + "\n";
}

/// Text in a manual page: backslashes, and dots and quotes at the start of a line, mean something to it.
std::string roff(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool line_start = i == 0 || text[i - 1] == '\n';
    if (line_start && (text[i] == '.' || text[i] == '\'')) out += "\\&";
    if (text[i] == '\\' || text[i] == '-') out += '\\';
    out += text[i];
  }
  return out;
}

std::string roff_flags(std::span<const Flag> flags, const Language& language) {
  std::string out;
  for (const Flag& flag : flags)
    out += fmt::format(".TP\n.B {}\n{}\n", roff(trimmed_usage(flag)),
                       roff(language.say(flag.help) + default_text(flag, language)));
  return out;
}

std::string manual(const Language& language) {
  std::string out = ".TH HEADRACE 1 \"\" \"headrace " HEADRACE_VERSION "\"\n.SH NAME\nheadrace \\- " +
                    roff(language.say("reference.name")) + "\n.SH SYNOPSIS\n.B headrace\nVERB ...\n.SH DESCRIPTION\n" +
                    roff(language.say("start.what")) + "\n";
  for (const Command& command : commands()) {
    out += fmt::format(".SS {} {}\n{}\n", command.name, roff(std::string(command.words)),
                       roff(language.say(command.summary)));
    out += roff_flags(command.own_flags, language);
    if (!command.details.empty()) out += ".PP\n.nf\n" + roff(language.say(command.details)) + "\n.fi\n";
  }
  out += ".SH \"" + language.say("help.scenario_options") + "\"\n" + roff_flags(scenario_flags(), language);
  out += ".SH \"" + language.say("help.common_options") + "\"\n" + roff_flags(common_flags(), language);
  return out + ".SH \"EXIT STATUS\"\n" + roff(language.say("help.exit_codes")) + "\n";
}

base::Result<ExitCode> run(Session& session) {
  TRY(const std::string form, only_word(session));
  if (!form.empty() && form != "markdown" && form != "man")
    return base::input_error({}, "reference.form", {form}, base::nearest_hint(form, {"markdown", "man"}));
  CHECK_OK(write_stdout(form == "man" ? manual(session.language()) : markdown(session.language())));
  return ExitCode::kAnswered;
}

}  // namespace

Command reference_command() {
  return {.name = "reference",
          .words = "[markdown|man]",
          .summary = "verb.reference",
          .details = {},
          .reads_scenario = false,
          .own_flags = {},
          .run = run};
}

}  // namespace headrace::app
