// SPDX-License-Identifier: Apache-2.0
#include "app/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace headrace::app {
namespace {

constexpr std::chrono::milliseconds kPatience{1000};
constexpr int kColumns = 30;

}  // namespace

std::unique_ptr<Progress> Progress::on_terminal(std::string label) {
  return isatty(STDERR_FILENO) ? std::make_unique<Progress>(std::move(label)) : nullptr;
}

Progress::Progress(std::string label) : label_(std::move(label)), start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (shown_ >= 0) std::fputs("\r\x1b[2K", stderr);
}

void Progress::report(double part) {
  if (std::chrono::steady_clock::now() - start_ < kPatience) return;
  const std::lock_guard lock(mutex_);
  const int percent = int(std::clamp(part, 0.0, 1.0) * 100);
  if (percent <= shown_) return;
  shown_ = percent;
  std::string bar;
  for (int i = 0; i < kColumns; ++i) bar += i * 100 < percent * kColumns ? "━" : "─";
  std::fputs(fmt::format("\r{} {} {:3} %", label_, bar, percent).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace headrace::app
