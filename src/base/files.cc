// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <filesystem>
#include <fstream>
#include <system_error>

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
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) return input_error({path}, "base.is_folder", {path});
  // /dev/stdout and pipes are written to; only a file can be put in the place of another.
  const bool special = std::filesystem::exists(path, failed) && !std::filesystem::is_regular_file(path, failed);
  const std::string target = special ? path : path + ".part";
  std::ofstream stream(target, std::ios::binary | std::ios::trunc);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  failed.clear();
  if (stream && !special) std::filesystem::rename(target, path, failed);
  if (stream && !failed) return {};
  if (!special) std::filesystem::remove(target, failed);
  return input_error({path}, "base.unwritable", {path});
}

}  // namespace headrace::base
