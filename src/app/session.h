// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/arguments.h"
#include "app/command.h"
#include "base/files.h"
#include "base/staged_files.h"
#include "catalog/catalog.h"
#include "report/language.h"
#include "report/outcome_text.h"
#include "report/trace.h"
#include "scenario/scenario.h"
#include "verbs/context.h"

namespace headrace::app {

class Progress;

/// One run of the program: its arguments, language, terminal, facts and files.
class Session {
 public:
  Session(const Command& command, Arguments arguments, report::Language language);
  ~Session();

  [[nodiscard]] const Command& command() const { return command_; }
  [[nodiscard]] const Arguments& arguments() const { return arguments_; }
  [[nodiscard]] const report::Language& language() const { return language_; }
  [[nodiscard]] report::Reader reader() const;
  [[nodiscard]] const base::FileSystem& files() const { return files_; }

  /// The built-in facts, read once.
  base::Result<const catalog::Catalog*> catalog();
  /// The scenario that the words and options describe: `word` (or none, when --model gives one), quick flags, then
  /// every --set.
  base::Result<scenario::Scenario> scenario(const std::string& word);
  /// The same with one key changed, for comparisons.
  base::Result<scenario::Scenario> scenario_with(const std::string& word, const std::string& path,
                                                 const std::string& value);
  /// What a verb works with; the catalogue must have been read.
  [[nodiscard]] verbs::Context context();

  /// What a verb answered, in each form that can be asked for; forms that it has not are empty functions.
  struct Answer {
    std::function<std::string()> text;
    std::function<std::string()> json;
    std::function<std::string()> csv;
    std::function<base::Result<report::TraceText>()> trace = {};
    std::vector<base::FileText> files = {};  ///< further ones that the options ask for
  };
  /// Writes an answer where the options want it: text or JSON to stdout, files by their ending. All or
  /// nothing: no file takes its place when another cannot be written, or stdout cannot.
  base::Result<void> deliver(const Answer& answer);
  /// A line to stderr, unless --quiet.
  void note(const std::string& text) const;

 private:
  base::Result<base::Value> document(const std::string& word) const;
  base::Result<scenario::Scenario> finish(base::Value document, const std::string& word);

  const Command& command_;
  Arguments arguments_;
  report::Language language_;
  base::DiskFileSystem files_;
  std::optional<catalog::Catalog> catalog_;
  std::unique_ptr<Progress> progress_;
};

/// Writes a line to stderr; nobody listening is no error.
void write_stderr(const std::string& line);

/// Writes text to stdout; a reader that went away is no error, a full disk is.
base::Result<void> write_stdout(const std::string& text);

/// The tongue that --lang or the environment asks for.
report::Tongue tongue_of(const std::vector<std::string>& words);

/// Whether stdout shows colours, and how wide it is.
report::Terminal terminal_of(bool no_color);

}  // namespace headrace::app
