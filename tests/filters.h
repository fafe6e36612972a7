// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headrace::tests {

/// The words of a command line; quotes as in a shell, nothing is expanded but `$SHARED`. `|` outside quotes is a word
/// of its own.
std::vector<std::string> words_of(const std::string& command, const std::string& shared);

/// What `text` becomes behind `| name arguments…`:
///   json PATH…   the values at the paths, one per line; a.b.0.c, `[]` alone after a list for its length
///   keys PATH    the keys of the map there, one per line
///   grep REGEX   the lines that match
///   head N       the first N lines
///   count        the number of lines
///   round N      every number with a decimal point, to N significant digits
/// A filter that cannot be applied gives a line that says why.
std::string filter(const std::string& text, const std::vector<std::string>& words);

/// Every match of the regular expression replaced by its first group and `***`.
std::string mask(const std::string& text, const std::string& regex);

/// The lines of `got` and `expected` that differ, marked + and -, with the equal ones between them.
std::string difference(const std::string& expected, const std::string& got);

}  // namespace headrace::tests
