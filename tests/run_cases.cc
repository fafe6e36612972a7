// SPDX-License-Identifier: Apache-2.0
// Runs the tests as data of tests/cases: run_cases [--rewrite] [PART-OF-A-PATH…]. docs/testing.md describes the format.
#include <fmt/core.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/parallel.h"
#include "case_file.h"
#include "filters.h"
#include "process.h"

namespace headrace::tests {
namespace {

namespace fs = std::filesystem;

enum class Verdict { kPassed, kFailed, kSkipped };

struct Report {
  Verdict verdict = Verdict::kPassed;
  std::string text;
};

struct Options {
  bool rewrite = false;
  std::vector<std::string> parts;
  std::string shared;  ///< folder of third-party files; empty when absent
};

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string shared_folder() {
  const char* named = std::getenv("HEADRACE_SHARED");
  const fs::path folder = named != nullptr ? fs::path(named) : fs::path(HEADRACE_SOURCE_DIR) / ".." / "shared";
  return fs::is_directory(folder) ? fs::canonical(folder).string() : "";
}

/// A fresh folder that goes with its owner.
class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "headrace_case_XXXXXX").string();
    path_ = mkdtemp(pattern.data()) == nullptr ? "" : pattern;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// `cat FILE` shows what a command wrote, or that it wrote nothing.
Printed cat(const std::string& folder, const std::vector<std::string>& words) {
  Printed printed;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const fs::path path = fs::path(folder) / words[i];
    if (fs::is_regular_file(path)) {
      printed.out += contents(path);
    } else {
      printed.err += "no file " + words[i] + "\n";
      printed.exit = 1;
    }
  }
  return printed;
}

Printed run_words(const std::vector<std::string>& words, const std::string& folder, int timeout) {
  if (!words.empty() && words[0] == "cat") return cat(folder, words);
  if (words.empty() || words[0] != "headrace") return {"", "only headrace and cat are run\n", 127};
  std::vector<std::string> program = words;
  program[0] = HEADRACE_BINARY;
  return run_process(program, folder, timeout);
}

// Replaces names that differ from machine to machine, and what the case says is volatile.
std::string steady(std::string text, const Case& test, const std::string& folder, const std::string& shared) {
  for (const auto& [name, mark] : {std::pair{folder + "/", std::string()}, std::pair{shared, std::string("$SHARED")}}) {
    for (std::size_t at = 0; !name.empty() && (at = text.find(name, at)) != text.npos; at += mark.size()) {
      text.replace(at, name.size(), mark);
    }
  }
  for (const std::string& regex : test.masks) text = mask(text, regex);
  return tidy(text);
}

Printed run_step(const Step& step, const Case& test, const std::string& folder, const Options& options) {
  for (const InputFile& file : step.files) {
    const fs::path path = fs::path(folder) / file.name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << file.text;
  }
  std::vector<std::vector<std::string>> parts(1);
  for (std::string& word : words_of(step.command, options.shared)) {
    if (word == "|") {
      parts.emplace_back();
    } else {
      parts.back().push_back(std::move(word));
    }
  }
  Printed printed = run_words(parts[0], folder, test.timeout_seconds);
  for (std::size_t i = 1; i < parts.size(); ++i) printed.out = filter(printed.out, parts[i]);
  printed.out = steady(printed.out, test, folder, options.shared);
  printed.err = step.expected.any_err ? "" : steady(printed.err, test, folder, options.shared);
  printed.any_err = step.expected.any_err;
  return printed;
}

std::string complaint(const Step& step, const Printed& got) {
  std::string out = "  $ " + step.command + "\n";
  const Printed& want = step.expected;
  if (got.exit == 124) out += "  timed out\n";
  if (got.exit != want.exit) out += fmt::format("  exit {}, expected {}\n", got.exit, want.exit);
  if (got.out != want.out) out += "  stdout (- expected, + got)\n" + difference(want.out, got.out);
  if (got.err != want.err) out += "  stderr (- expected, + got)\n" + difference(want.err, got.err);
  return out;
}

Report run_case(const fs::path& path, const Options& options) {
  const std::string name = fs::relative(path, HEADRACE_CASES_DIR).string();
  const std::string text = contents(path);
  Case test = parse_case(text, name);
  if (!test.mistake.empty()) return {Verdict::kFailed, name + ": " + test.mistake + "\n"};
  for (const std::string& need : test.needs) {
    if (need != "shared") return {Verdict::kFailed, name + ": needs '" + need + "' is unknown\n"};
    if (options.shared.empty()) return {Verdict::kSkipped, name + ": skipped, there is no ../shared\n"};
  }
  const Folder folder;
  Report report;
  for (Step& step : test.steps) {
    const Printed got = run_step(step, test, folder.path(), options);
    if (got == step.expected) continue;
    report.verdict = Verdict::kFailed;
    report.text += complaint(step, got);
    step.expected = got;
  }
  if (report.verdict == Verdict::kPassed) return report;
  if (!options.rewrite) return {Verdict::kFailed, name + ": failed\n" + report.text};
  std::ofstream(path, std::ios::binary) << print_case(test);
  return {Verdict::kPassed, name + ": rewritten\n"};
}

std::vector<fs::path> find_cases(const Options& options) {
  std::vector<fs::path> paths;
  if (!fs::is_directory(HEADRACE_CASES_DIR)) return paths;
  for (const auto& entry : fs::recursive_directory_iterator(HEADRACE_CASES_DIR)) {
    const std::string path = entry.path().string();
    const auto wanted = [&](const std::string& part) { return path.find(part) != path.npos; };
    if (!path.ends_with(".test")) continue;
    if (options.parts.empty() || std::any_of(options.parts.begin(), options.parts.end(), wanted)) {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

int run_all(const Options& options) {
  const std::vector<fs::path> paths = find_cases(options);
  std::vector<Report> reports(paths.size());
  base::parallel_for(paths.size(), base::hardware_threads(),
                     [&](std::size_t i) { reports[i] = run_case(paths[i], options); });
  int counts[3] = {0, 0, 0};
  for (const Report& report : reports) {
    ++counts[static_cast<int>(report.verdict)];
    fmt::print("{}", report.text);
  }
  fmt::print("{} passed, {} failed, {} skipped\n", counts[0], counts[1], counts[2]);
  return counts[1] == 0 ? 0 : 1;
}

}  // namespace
}  // namespace headrace::tests

int main(int argc, char** argv) {
  headrace::tests::Options options;
  options.shared = headrace::tests::shared_folder();
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--rewrite") {
      options.rewrite = true;
    } else {
      options.parts.emplace_back(argv[i]);
    }
  }
  return headrace::tests::run_all(options);
}
