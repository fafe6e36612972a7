// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace headrace::tests {
namespace {

using Clock = std::chrono::steady_clock;

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> environment(const std::string& folder) {
  std::vector<std::string> out = {"NO_COLOR=1", "HOME=" + folder};
  for (const char* name : {"PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) out.push_back(std::string(name) + "=" + value);
  }
  return out;
}

int exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

int wait_for(pid_t child, int timeout_seconds) {
  const auto deadline = Clock::now() + std::chrono::seconds(timeout_seconds);
  auto pause = std::chrono::microseconds(500);
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() > deadline) {
      kill(-child, SIGKILL);
      waitpid(child, &status, 0);
      return 124;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(20000));
  }
  return exit_code(status);
}

}  // namespace

Printed run_process(const std::vector<std::string>& words, const std::string& folder, int timeout_seconds) {
  const std::string out_path = folder + ".out";
  const std::string err_path = folder + ".err";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);

  std::vector<std::string> arguments = words;
  std::vector<std::string> variables = environment(folder);
  pid_t child = 0;
  const int failed = posix_spawn(&child, words[0].c_str(), &actions, &attributes, pointers(arguments).data(),
                                 pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) return {"", "cannot run " + words[0] + "\n", 127};

  Printed printed;
  printed.exit = wait_for(child, timeout_seconds);
  printed.out = contents(out_path);
  printed.err = contents(err_path);
  std::filesystem::remove(out_path);
  std::filesystem::remove(err_path);
  return printed;
}

}  // namespace headrace::tests
