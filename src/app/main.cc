// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>
#include <exception>
#include <new>

#include "app/help.h"
#include "app/session.h"
#include "base/value.h"

namespace headrace::app {
namespace {

ExitCode tell(const base::Error& error, const report::Language& language) {
  write_stderr(report::say_error(error, language));
  return error.kind == base::ErrorKind::kInternal ? ExitCode::kInternal : ExitCode::kInput;
}

tl::unexpected<base::Error> unknown_option(const std::string& name) {
  std::vector<std::string> known;
  for (const Flag& flag : common_flags()) known.emplace_back(flag.name);
  return base::input_error({}, "arguments.unknown_option", {name}, base::nearest_hint(name, known));
}

base::Result<Command> find_command(const std::string& verb) {
  if (verb.starts_with('-')) return unknown_option(verb);
  std::vector<std::string> known;
  for (const Command& command : commands()) {
    if (command.name == verb) return command;
    known.emplace_back(command.name);
  }
  return base::input_error({}, "arguments.unknown_verb", {verb}, base::nearest_hint(verb, known));
}

/// Takes the options that stand before the verb out of `words`; an unknown one stays.
std::vector<std::string> options_before_verb(std::vector<std::string>& words) {
  std::vector<Flag> flags(common_flags().begin(), common_flags().end());
  flags.insert(flags.end(), scenario_flags().begin(), scenario_flags().end());
  std::size_t at = 0;
  while (at < words.size()) {
    const std::size_t equals = words[at].find('=');
    const std::string name = words[at].substr(0, equals);
    const auto flag = std::find_if(flags.begin(), flags.end(), [&](const Flag& f) {
      return f.name == name || (!f.letter.empty() && f.letter == name);
    });
    if (flag == flags.end()) break;
    at += flag->kind != FlagKind::kSwitch && equals == std::string::npos ? 2 : 1;
  }
  const auto end = words.begin() + std::ptrdiff_t(std::min(at, words.size()));
  std::vector<std::string> options(words.begin(), end);
  words.erase(words.begin(), end);
  return options;
}

bool asks_for_help(const std::vector<std::string>& words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::any_of(words.begin(), end, [](const std::string& word) { return word == "--help" || word == "-h"; });
}

base::Result<ExitCode> say(const std::string& text) {
  CHECK_OK(write_stdout(text));
  return ExitCode::kAnswered;
}

base::Result<ExitCode> run(std::vector<std::string> words, const report::Language& language) {
  // What is asked for: nothing, help, or a verb.
  const report::Terminal terminal = terminal_of(std::find(words.begin(), words.end(), "--no-color") != words.end());
  const std::vector<std::string> before = options_before_verb(words);
  if (words.empty() && asks_for_help(before)) return say(overview(language, terminal));
  if (words.empty()) {
    CHECK_OK(read_arguments(before, {common_flags().begin(), common_flags().end()}));
    return say(start_page(language, terminal));
  }
  std::string verb = words.front();
  words.erase(words.begin());
  if (verb == "--version") verb = "version";
  if (verb == "help" && words.empty()) return say(overview(language, terminal));
  if (verb == "help") {
    verb = words.front();
    words = {"--help"};
  }
  words.insert(words.begin(), before.begin(), before.end());

  // The verb with its words and options.
  TRY(const Command command, find_command(verb));
  if (asks_for_help(words)) return say(help_of(command, language, terminal));
  TRY(Arguments arguments, read_arguments(words, command.flags()));
  Session session(command, std::move(arguments), language);
  return command.run(session);
}

}  // namespace
}  // namespace headrace::app

int main(int argc, char** argv) {
  using namespace headrace;
  std::signal(SIGPIPE, SIG_IGN);
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto language = report::Language::load(app::tongue_of(words));
  if (!language) {
    app::write_stderr("headrace: the built-in messages cannot be read: " + language.error().what.id);
    return int(app::ExitCode::kInternal);
  }
  try {
    const auto code = app::run(words, *language);
    return int(code ? *code : app::tell(code.error(), *language));
  } catch (const std::bad_alloc&) {
    return int(app::tell({base::ErrorKind::kInternal, {"internal.memory", {}}, {}, {}}, *language));
  } catch (const std::exception& fault) {
    return int(app::tell({base::ErrorKind::kInternal, {"internal.fault", {fault.what()}}, {}, {}}, *language));
  }
}
