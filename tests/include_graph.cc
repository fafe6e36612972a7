// SPDX-License-Identifier: Apache-2.0
#include "include_graph.h"

#include <sstream>

#include "case_file.h"

namespace headrace::tests {
namespace {

std::string room_of(const std::string& path) {
  const std::size_t slash = path.find('/');
  return slash == path.npos ? "" : path.substr(0, slash);
}

// Tests and benchmarks may include what they need to check.
bool is_test(const std::string& path) { return path.ends_with("_test.cc") || path.ends_with("_bench.cc"); }

void check_rooms(const SourceFile& file, const Floors& floors, std::vector<std::string>& found) {
  const std::string room = room_of(file.path);
  if (!floors.floor_of.contains(room)) {
    found.push_back(file.path + ": the room '" + room + "' is on no floor");
    return;
  }
  for (const std::string& include : file.includes) {
    const std::string other = room_of(include);
    if (other == room || !floors.floor_of.contains(other)) continue;
    if (floors.floor_of.at(other) >= floors.floor_of.at(room)) {
      found.push_back(file.path + ": includes " + include + ", which is on no floor below");
    }
  }
}

void check_heavy(const std::vector<SourceFile>& files, const std::string& heavy, std::vector<std::string>& found) {
  std::string first;
  for (const SourceFile& file : files) {
    if (is_test(file.path)) continue;
    for (const std::string& include : file.includes) {
      if (!include.starts_with(heavy)) continue;
      if (file.path.ends_with(".h")) found.push_back(file.path + ": a header includes the heavy " + include);
      if (!first.empty() && first != file.path) {
        found.push_back(file.path + ": includes the heavy " + include + ", as does " + first);
      }
      first = file.path;
    }
  }
}

}  // namespace

Floors parse_floors(std::string_view text) {
  Floors floors;
  int height = 0;
  for (const std::string& line : lines_of(text)) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "floor") {
      --height;
      while (words >> word) floors.floor_of[word] = height;
    } else if (word == "heavy" && words >> word) {
      floors.heavy.push_back(word);
    }
  }
  for (auto& [room, floor] : floors.floor_of) floor -= height;
  return floors;
}

SourceFile parse_source(const std::string& path, std::string_view text) {
  SourceFile file{path, {}};
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with("#include")) continue;
    const std::size_t begin = line.find_first_of("<\"");
    const std::size_t end = begin == line.npos ? line.npos : line.find_first_of(">\"", begin + 1);
    if (end != line.npos) file.includes.push_back(line.substr(begin + 1, end - begin - 1));
  }
  return file;
}

std::vector<std::string> violations(const std::vector<SourceFile>& files, const Floors& floors) {
  std::vector<std::string> found;
  for (const SourceFile& file : files) check_rooms(file, floors, found);
  for (const std::string& heavy : floors.heavy) check_heavy(files, heavy, found);
  return found;
}

}  // namespace headrace::tests
