// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/flag.h"
#include "base/result.h"

namespace headrace::app {

/// A command line after its verb: words and options, checked against the table of flags.
class Arguments {
 public:
  [[nodiscard]] bool has(std::string_view flag) const { return !all(flag).empty(); }
  /// The last value given, or nothing.
  [[nodiscard]] std::optional<std::string> text(std::string_view flag) const;
  /// Every value given, in order.
  [[nodiscard]] std::vector<std::string> all(std::string_view flag) const;
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view flag) const;

  std::vector<std::string> words;
  std::vector<std::pair<std::string, std::string>> options;  ///< long name and value, in the order given
};

/// Reads words and options (`--name value`, `--name=value`, `-o value`; `--` ends options). Unknown options, missing or
/// impossible values are errors that offer the nearest name.
base::Result<Arguments> read_arguments(const std::vector<std::string>& words, const std::vector<Flag>& flags);

}  // namespace headrace::app
