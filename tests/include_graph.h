// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headrace::tests {

/// tests/floors.txt: which floor each room is on (0 is the ground), and which headers are heavy.
struct Floors {
  std::map<std::string, int> floor_of;
  std::vector<std::string> heavy;  ///< beginnings of include names
};

Floors parse_floors(std::string_view text);

/// A source file by its path below src/, e.g. "cost/kernels.cc", with what it includes.
struct SourceFile {
  std::string path;
  std::vector<std::string> includes;
};

SourceFile parse_source(const std::string& path, std::string_view text);

/// A line for each include that goes up or sideways, each heavy header in a header or a second source, each room that
/// is on no floor.
std::vector<std::string> violations(const std::vector<SourceFile>& files, const Floors& floors);

}  // namespace headrace::tests
