// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/value.h"

namespace headrace::base {

/// The text without a UTF-8 byte order mark.
std::string_view without_bom(std::string_view text);

/// An error at the first byte that no text document may hold: invalid UTF-8, NUL and other control characters; or when
/// there are more than `limit` bytes.
Result<void> check_text(std::string_view text, const std::string& file, std::size_t limit);

/// An error at the second of two equal keys.
Result<void> check_unique_keys(const std::vector<Value::Member>& members);

/// Line and column (bytes, from 1) of an offset.
Place place_at(std::string_view text, std::size_t offset, const std::string& file);

/// Length in bytes of the valid UTF-8 character at the front of `text`; 0 when there is none.
std::size_t utf8_length(std::string_view text);

/// A number's finite value, NaN or an infinity, as `1e9`, `.5`, `-3.25` or `NaN`, `-Infinity`, `.inf` write it; nullopt
/// when the text is no number. Leading zeros, hexadecimal digits and digit separators make no number.
std::optional<double> read_number(std::string_view text);

/// A text that a terminal only shows and never obeys: control characters but line ends, marks that turn the direction
/// of writing, and invalid UTF-8 are replaced.
std::string printable(std::string_view text);

/// Whether the valid UTF-8 character at the front of `text` steers a terminal: a C0 or C1 control character other than
/// tab and line ends, or a mark that turns the direction of writing.
bool steers_terminal(std::string_view text);

/// A text as an error shows it: quoted, cut to a readable length, control characters replaced.
std::string shown(std::string_view text);

}  // namespace headrace::base
