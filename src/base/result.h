// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace headrace::base {

/// A sentence by its id in the message catalogue (`src/report/messages.yaml`) and the words to put in it.
struct Message {
  std::string id;
  std::vector<std::string> arguments;

  friend bool operator==(const Message&, const Message&) = default;
};

/// Where in a user's or our own text something stands; line and column count from 1, 0 means unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

enum class ErrorKind {
  kInput,     ///< the user's file, option or name is wrong: exit code 2
  kInternal,  ///< a fault of ours: exit code 3
};

/// Why something could not be done: what was found and expected, where, and a way out.
struct Error {
  ErrorKind kind = ErrorKind::kInput;
  Message what;
  Place where;
  std::optional<Message> hint;
};

template <typename T>
using Result = tl::expected<T, Error>;

/// An input error with a place.
inline tl::unexpected<Error> input_error(Place where, std::string id, std::vector<std::string> arguments = {},
                                         std::optional<Message> hint = std::nullopt) {
  return tl::unexpected<Error>(
      Error{ErrorKind::kInput, {std::move(id), std::move(arguments)}, std::move(where), std::move(hint)});
}

}  // namespace headrace::base

#define HEADRACE_CONCAT_INNER(a, b) a##b
#define HEADRACE_CONCAT(a, b) HEADRACE_CONCAT_INNER(a, b)

// NOLINTBEGIN(bugprone-macro-parentheses): a declaration and a name cannot stand in parentheses.

/// TRY(auto x, expression): the value of a Result into x, or return its error from this function.
#define TRY(declaration, expression) TRY_IMPL(HEADRACE_CONCAT(try_result_, __COUNTER__), declaration, expression)
#define TRY_IMPL(result, declaration, expression)                                    \
  auto result = (expression);                                                        \
  if (!(result)) return ::tl::unexpected<::headrace::base::Error>((result).error()); \
  declaration = std::move(*(result))

/// CHECK_OK(expression): return the error of a Result<void> from this function.
#define CHECK_OK(expression) CHECK_OK_IMPL(HEADRACE_CONCAT(check_result_, __COUNTER__), expression)
#define CHECK_OK_IMPL(result, expression) \
  auto result = (expression);             \
  if (!(result)) return ::tl::unexpected<::headrace::base::Error>((result).error())

// NOLINTEND(bugprone-macro-parentheses)
