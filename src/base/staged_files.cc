// SPDX-License-Identifier: Apache-2.0
#include "base/staged_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>

namespace headrace::base {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> unwritable(const std::string& path) { return input_error({path}, "base.unwritable", {path}); }

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(std::size_t(written));
  }
  return true;
}

/// A new file in the folder of `target`, with the rights of the one it will replace; -1 where there can be none.
int open_beside(const std::string& target, std::string& part) {
  constexpr int kTries = 100;
  struct stat old{};
  const bool replaces = ::stat(target.c_str(), &old) == 0;
  if (replaces && ::access(target.c_str(), W_OK) != 0) return -1;
  for (int i = 0; i < kTries; ++i) {
    const std::string name = ".headrace-" + std::to_string(::getpid()) + "-" + std::to_string(i) + ".part";
    part = (fs::path(target).parent_path() / name).string();
    const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 && replaces) ::fchmod(file, old.st_mode & 07777);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

}  // namespace

StagedFiles::~StagedFiles() {
  for (const Staged& file : staged_) {
    if (!file.part.empty()) ::unlink(file.part.c_str());
  }
}

Result<void> StagedFiles::add(const std::string& path, std::string_view text) {
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (fs::is_directory(status)) return input_error({path}, "base.is_folder", {path});
  if (status.type() == fs::file_type::none) return unwritable(path);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    staged_.push_back({path, path, "", std::string(text)});
    return {};
  }
  const std::string target = fs::weakly_canonical(fs::absolute(path), failed).string();
  if (failed || target.empty()) return unwritable(path);
  if (std::any_of(staged_.begin(), staged_.end(), [&](const Staged& other) { return other.target == target; }))
    return input_error({path}, "base.written_twice", {path});
  Staged file{path, target, "", ""};
  const int descriptor = open_beside(target, file.part);
  if (descriptor < 0) return unwritable(path);
  staged_.push_back(std::move(file));
  const bool written = write_all(descriptor, text);
  if (::close(descriptor) != 0 || !written) return unwritable(path);
  return {};
}

Result<void> StagedFiles::commit() {
  for (const Staged& file : staged_) {
    if (!file.part.empty()) continue;
    std::ofstream stream(file.target, std::ios::binary);
    stream.write(file.text.data(), std::streamsize(file.text.size()));
    stream.close();
    if (!stream) return unwritable(file.path);
  }
  for (Staged& file : staged_) {
    if (file.part.empty()) continue;
    if (::rename(file.part.c_str(), file.target.c_str()) != 0) return unwritable(file.path);
    file.part.clear();
  }
  return {};
}

}  // namespace headrace::base
