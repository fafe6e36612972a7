// SPDX-License-Identifier: Apache-2.0
#include "app/session.h"

#include <fmt/core.h>

#include <cstdio>

#include "app/progress.h"
#include "base/document_text.h"
#include "base/parallel.h"
#include "scenario/built_in.h"
#include "scenario/edit.h"
#include "scenario/read.h"

namespace headrace::app {
namespace {

/// A word as a shell reads it back.
std::string shell_word(const std::string& typed) {
  const std::string word = base::printable(typed);
  const bool plain =
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+%@") ==
      std::string::npos;
  if (plain && !word.empty()) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// `a,b` of a quick flag is a list.
std::string as_yaml(const std::string& value) {
  const bool list = value.find(',') != std::string::npos && value.find_first_of("[{\"'") == std::string::npos;
  return list ? "[" + value + "]" : value;
}

const Flag* quick_flag(std::string_view name) {
  for (const Flag& flag : scenario_flags()) {
    if (flag.name == name && !flag.path.empty()) return &flag;
  }
  return nullptr;
}

/// How a command for the same scenario is typed again.
std::string typed_again(const std::string& word, const Arguments& arguments) {
  std::string text = word.empty() ? "" : shell_word(word);
  for (const auto& [name, value] : arguments.options) {
    if (name == "--set" || quick_flag(name)) text += (text.empty() ? "" : " ") + name + " " + shell_word(value);
  }
  return text;
}

}  // namespace

Session::Session(const Command& command, Arguments arguments, report::Language language)
    : command_(command), arguments_(std::move(arguments)), language_(std::move(language)) {}

Session::~Session() = default;

report::Reader Session::reader() const {
  return {language_, terminal_of(arguments_.has("--no-color")), arguments_.has("--verbose")};
}

base::Result<const catalog::Catalog*> Session::catalog() {
  if (!catalog_) {
    TRY(catalog_, catalog::load_catalog());
  }
  return &*catalog_;
}

base::Result<base::Value> Session::document(const std::string& word) const {
  if (word.empty() && !arguments_.has("--model"))
    return base::input_error({}, "arguments.no_scenario", {std::string(command_.name)});
  if (arguments_.has("--nodes") && arguments_.has("--gpus"))
    return base::input_error({}, "arguments.either", {"--nodes", "--gpus"});
  base::Value document = base::Value::map({"", 0, 0}, {});
  if (!word.empty()) {
    TRY(document, scenario::open_scenario(word, files_));
  }
  for (const auto& [name, value] : arguments_.options) {
    if (const Flag* flag = quick_flag(name)) {
      CHECK_OK(scenario::edit(document, flag->path, as_yaml(value), name + " " + value));
    }
  }
  for (const std::string& assignment : arguments_.all("--set")) {
    CHECK_OK(scenario::edit_set(document, assignment));
  }
  return document;
}

base::Result<scenario::Scenario> Session::finish(base::Value document, const std::string& word) {
  TRY([[maybe_unused]] const catalog::Catalog* loaded, catalog());
  scenario::complete(document, *catalog_);
  TRY(scenario::Scenario scenario, scenario::read_scenario(document, *catalog_));
  scenario.called = typed_again(word, arguments_);
  return scenario;
}

base::Result<scenario::Scenario> Session::scenario(const std::string& word) {
  TRY(base::Value read, document(word));
  return finish(std::move(read), word);
}

base::Result<scenario::Scenario> Session::scenario_with(const std::string& word, const std::string& path,
                                                        const std::string& value) {
  TRY(base::Value read, document(word));
  CHECK_OK(scenario::edit(read, path, value, value));
  return finish(std::move(read), word);
}

verbs::Context Session::context() {
  const auto threads = arguments_.integer("--threads");
  const auto seed = arguments_.integer("--seed");
  if (!arguments_.has("--quiet")) progress_ = Progress::on_terminal(language_.say("progress.searching"));
  verbs::Context context{
      *catalog_, files_, int(threads.value_or(base::hardware_threads())), std::uint64_t(seed.value_or(0)), {}};
  if (progress_) context.progress = [this](double part) { progress_->report(part); };
  return context;
}

void Session::note(const std::string& text) const {
  if (!arguments_.has("--quiet")) write_stderr(base::printable(text));
}

}  // namespace headrace::app
