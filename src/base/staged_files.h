// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace headrace::base {

/// A file to write: its path and what goes into it.
struct FileText {
  std::string path;
  std::string text;
};

/// Files that take their places together, or not at all: each is first written whole beside its target, under a name of
/// its own. Devices and pipes have no such place; they are written when the others are about to be moved.
class StagedFiles {
 public:
  StagedFiles() = default;
  ~StagedFiles();
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;

  /// Writes `text` beside `path`; a link's target, not the link, is what will be replaced. A folder, a place that
  /// cannot be written and a file given before are errors.
  [[nodiscard]] Result<void> add(const std::string& path, std::string_view text);
  /// Puts every file in its place.
  [[nodiscard]] Result<void> commit();

 private:
  struct Staged {
    std::string path, target, part;  ///< as given; the file meant; where it is until then (empty for a device)
    std::string text;                ///< of a device only
  };
  std::vector<Staged> staged_;
};

}  // namespace headrace::base
