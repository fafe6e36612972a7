// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace headrace::base {

/// The door to files; tests put an in-memory double in its place.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  [[nodiscard]] virtual Result<std::string> read(const std::string& path) const = 0;
  /// Writes beside the target and renames, so that a failure leaves the old file whole.
  [[nodiscard]] virtual Result<void> write(const std::string& path, std::string_view text) const = 0;
};

/// The machine's own files. Folders, missing files and files over 256 MiB are errors.
class DiskFileSystem : public FileSystem {
 public:
  [[nodiscard]] Result<std::string> read(const std::string& path) const override;
  [[nodiscard]] Result<void> write(const std::string& path, std::string_view text) const override;
};

}  // namespace headrace::base
