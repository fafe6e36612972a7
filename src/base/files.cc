// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/staged_files.h"

namespace headrace::base {
namespace {

constexpr std::uintmax_t kLargest = std::uintmax_t{256} << 20;

}  // namespace

Result<std::string> DiskFileSystem::read(const std::string& path) const {
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  if (!std::filesystem::exists(status)) return input_error({path}, "base.no_file", {path});
  if (std::filesystem::is_directory(status)) return input_error({path}, "base.is_folder", {path});
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return input_error({path}, "base.unreadable", {path});
  // Read up to the limit rather than ask for the size: pipes have none.
  std::string text;
  std::string block(std::size_t{1} << 16, '\0');
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) || stream.gcount() > 0) {
    text.append(block, 0, static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kLargest) {
      return input_error({path}, "base.too_large", {"> " + std::to_string(kLargest), std::to_string(kLargest)});
    }
  }
  if (stream.bad()) return input_error({path}, "base.unreadable", {path});
  return text;
}

Result<void> DiskFileSystem::write(const std::string& path, std::string_view text) const {
  StagedFiles staged;
  CHECK_OK(staged.add(path, text));
  return staged.commit();
}

}  // namespace headrace::base
