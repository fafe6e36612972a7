// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

namespace headrace::app {

/// A bar on stderr for work that takes longer than a second; erased when done.
class Progress {
 public:
  /// Nothing when stderr is no terminal.
  static std::unique_ptr<Progress> on_terminal(std::string label);
  explicit Progress(std::string label);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `part` from 0 to 1, from any thread.
  void report(double part);

 private:
  std::string label_;
  std::chrono::steady_clock::time_point start_;
  std::mutex mutex_;
  int shown_ = -1;  ///< percent on the screen; −1 = nothing drawn yet
};

}  // namespace headrace::app
