// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

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
  fmt::print(stderr, "{}\n", report::say_error(error, language));
  return error.kind == base::ErrorKind::kInternal ? ExitCode::kInternal : ExitCode::kInput;
}

base::Result<Command> find_command(const std::string& verb) {
  std::vector<std::string> known;
  for (const Command& command : commands()) {
    if (command.name == verb) return command;
    known.emplace_back(command.name);
  }
  return base::input_error({}, "arguments.unknown_verb", {verb}, base::nearest_hint(verb, known));
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
  std::erase(words, words.empty() || words.front() != "--no-color" ? "" : "--no-color");
  if (words.empty()) return say(start_page(language, terminal));
  std::string verb = words.front();
  words.erase(words.begin());
  if (verb == "--version") verb = "version";
  if (verb == "--help" || verb == "-h") return say(overview(language, terminal));
  if (verb == "--lang" && words.size() <= 1) return say(start_page(language, terminal));
  if (verb == "help" && words.empty()) return say(overview(language, terminal));
  if (verb == "help") {
    verb = words.front();
    words = {"--help"};
  }

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
    fmt::print(stderr, "headrace: the built-in messages cannot be read: {}\n", language.error().what.id);
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
