// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headrace::tests {

/// What one command printed, or is expected to print; line ends and trailing blanks are not compared.
struct Printed {
  std::string out;
  std::string err;
  int exit = 0;
  bool any_err = false;  ///< `stderr any`: whatever stderr says is right

  friend bool operator==(const Printed&, const Printed&) = default;
};

/// An input file that the case carries.
struct InputFile {
  std::string name;
  std::string text;
};

/// A command with the files that must lie there before it.
struct Step {
  std::string before;  ///< the lines above the command, as they are
  std::vector<InputFile> files;
  std::string command;  ///< without the "$ "
  Printed expected;
};

/// A test as data: `tests/cases/<topic>/<name>.test`; docs/testing.md describes the format.
struct Case {
  std::string path;
  std::vector<std::string> needs;
  std::vector<std::string> masks;  ///< regular expressions
  int timeout_seconds = 60;
  std::vector<Step> steps;
  std::string after;    ///< the lines below the last command
  std::string mistake;  ///< why the file is no case; empty when it is one
};

Case parse_case(std::string_view text, const std::string& path);

/// The text of a case; with the expectations that it was read with, the same text up to blank lines.
std::string print_case(const Case& test);

/// `text` without blanks at the ends of lines and empty lines at its end.
std::string tidy(std::string_view text);

std::vector<std::string> lines_of(std::string_view text);

}  // namespace headrace::tests
