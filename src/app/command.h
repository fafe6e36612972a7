// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "app/arguments.h"
#include "app/flag.h"
#include "base/result.h"

namespace headrace::app {

class Session;

/// What the program tells the shell.
enum class ExitCode { kAnswered = 0, kInfeasible = 1, kInput = 2, kInternal = 3 };

/// A verb with data about itself; its file holds its own flags and what it runs.
struct Command {
  std::string_view name;
  std::string_view words;    ///< its words in the usage: "SCENARIO"
  std::string_view summary;  ///< message id: one line
  std::string_view details;  ///< message id: examples and what else to know; empty when there is nothing
  bool reads_scenario = false;
  std::vector<Flag> own_flags;
  base::Result<ExitCode> (*run)(Session& session) = nullptr;

  /// Its own flags, those of scenarios where it reads one, and the common ones.
  [[nodiscard]] std::vector<Flag> flags() const;
};

/// All verbs in the order of the help.
std::vector<Command> commands();

// Each verb's own file.
Command plan_command();
Command simulate_command();
Command explain_command();
Command compare_command();
Command catalog_command();
Command validate_command();
Command fit_command();
Command import_command();
Command export_command();
Command completions_command();
Command reference_command();
Command version_command();

}  // namespace headrace::app
