// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace headrace::app {

/// What an option's value may be; the parser, the help and the completions follow it.
enum class FlagKind {
  kSwitch,   ///< no value
  kText,     ///< any text
  kInteger,  ///< a whole number within [low, high]
  kFile,     ///< a path
  kChoice,   ///< one of `choices`
};

/// One option as data: help, completions, manual page and docs derive from it.
struct Flag {
  std::string_view name;         ///< "--threads"
  std::string_view letter = {};  ///< "-q", or empty
  std::string_view value = {};   ///< the value's name in the usage: "N"; empty for a switch
  FlagKind kind = FlagKind::kText;
  std::string_view help = {};       ///< message id
  std::string_view otherwise = {};  ///< the default, as shown; a message id where it is words
  std::string_view choices = {};    ///< "en zh", for kChoice and as suggestions
  std::string_view path = {};       ///< the key of the scenario that a quick flag sets
  bool repeats = false;
  double low = 0, high = 0;
};

/// Options of every verb.
std::span<const Flag> common_flags();
/// Options of every verb that reads a scenario.
std::span<const Flag> scenario_flags();

}  // namespace headrace::app
