// SPDX-License-Identifier: Apache-2.0
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "app/progress.h"
#include "app/session.h"

namespace headrace::app {
namespace {

std::string ending(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const std::size_t slash = path.rfind('/');
  return dot == std::string::npos || (slash != std::string::npos && dot < slash) ? std::string() : path.substr(dot);
}

/// The form that a file's ending asks for; what must be said about it goes to `warnings`.
base::Result<std::string> by_ending(const std::string& path, const Session::Answer& answer,
                                    std::vector<base::Message>& warnings) {
  if (path.ends_with(".trace.json") && answer.trace) {
    TRY(report::TraceText trace, answer.trace());
    warnings = std::move(trace.warnings);
    return std::move(trace.json);
  }
  if (path.ends_with(".trace.json")) return base::input_error({"-o", 0, 0}, "output.no_trace", {path});
  const std::string form = ending(path);
  if (form == ".json" && answer.json) return answer.json();
  if (form == ".csv" && answer.csv) return answer.csv();
  if (form == ".txt" && answer.text) return answer.text();
  if (form == ".html") return base::input_error({"-o", 0, 0}, "output.later", {path});
  return base::input_error({"-o", 0, 0}, "output.ending", {path});
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

constexpr int kNarrowest = 40, kWidest = 200, kWithoutTerminal = 100;

int columns_of_stdout() {
  if (const int given = std::atoi(environment("COLUMNS").c_str()); given > 0)
    return std::clamp(given, kNarrowest, kWidest);
  winsize size{};
  if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::clamp(int(size.ws_col), kNarrowest, kWidest);
  return kWithoutTerminal;
}

}  // namespace

// Not fmt::print, which throws when stderr is closed or its reader is gone.
void write_stderr(const std::string& line) {
  std::fputs((line + "\n").c_str(), stderr);
  std::fflush(stderr);
}

base::Result<void> write_stdout(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written || errno == EPIPE) return {};
  return base::input_error({}, "output.stdout", {std::strerror(errno)});
}

base::Result<void> Session::deliver(const Answer& answer) {
  progress_.reset();
  std::vector<base::FileText> files = answer.files;
  std::vector<base::Message> warnings;
  if (const auto path = arguments_.text("--output")) {
    TRY(std::string text, by_ending(*path, answer, warnings));
    files.push_back({*path, std::move(text)});
  }
  if (const auto path = arguments_.text("--csv")) {
    if (!answer.csv) return base::input_error({"--csv", 0, 0}, "output.no_csv", {std::string(command_.name)});
    files.push_back({*path, answer.csv()});
  }
  base::StagedFiles staged;
  for (const base::FileText& file : files) {
    CHECK_OK(staged.add(file.path, file.text));
  }
  CHECK_OK(write_stdout(arguments_.has("--json") ? answer.json() : answer.text()));
  CHECK_OK(staged.commit());
  for (const base::Message& warning : warnings) note(language_.say(warning));
  for (const base::FileText& file : files) note(language_.say("output.wrote", {file.path}));
  return {};
}

report::Tongue tongue_of(const std::vector<std::string>& words) {
  std::string wanted;
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    if (wanted.empty()) wanted = environment(name);
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") break;
    if (words[i] == "--lang" && i + 1 < words.size()) wanted = words[i + 1];
    if (words[i].starts_with("--lang=")) wanted = words[i].substr(std::strlen("--lang="));
  }
  return wanted.starts_with("zh") ? report::Tongue::kChinese : report::Tongue::kEnglish;
}

report::Terminal terminal_of(bool no_color) {
  report::Terminal terminal;
  terminal.columns = columns_of_stdout();
  terminal.color =
      !no_color && environment("NO_COLOR").empty() && environment("TERM") != "dumb" && isatty(STDOUT_FILENO);
  return terminal;
}

}  // namespace headrace::app
