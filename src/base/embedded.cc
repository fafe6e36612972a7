// SPDX-License-Identifier: Apache-2.0
#include "base/embedded.h"

#include <algorithm>

namespace headrace::base {

std::span<const EmbeddedFile> embedded_under(std::string_view prefix) {
  const auto files = embedded_files();
  const auto begin = std::lower_bound(files.begin(), files.end(), prefix,
                                      [](const EmbeddedFile& file, std::string_view path) { return file.path < path; });
  auto end = begin;
  while (end != files.end() && end->path.starts_with(prefix)) ++end;
  return {begin, end};
}

std::string_view embedded_text(std::string_view path) {
  for (const EmbeddedFile& file : embedded_under(path)) {
    if (file.path == path) return file.text;
  }
  return {};
}

}  // namespace headrace::base
