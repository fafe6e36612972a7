// SPDX-License-Identifier: Apache-2.0
#include "case_file.h"

#include <charconv>

namespace headrace::tests {
namespace {

constexpr std::string_view kIndent = "  ";

bool is_block_line(const std::string& line) { return line.empty() || line.starts_with(kIndent); }

/// Reads a case line by line.
class CaseParser {
 public:
  CaseParser(std::string_view text, const std::string& path) : lines_(lines_of(text)) { case_.path = path; }

  Case parse() {
    if (lines_.empty() || !lines_[0].starts_with("# ")) mistake("the first line says what the case shows: '# …'");
    while (at_ < lines_.size() && case_.mistake.empty()) line(lines_[at_]);
    if (case_.steps.empty()) mistake("there is no command: '$ headrace …'");
    case_.after = std::move(before_);
    return std::move(case_);
  }

 private:
  void mistake(const std::string& what) {
    if (case_.mistake.empty()) case_.mistake = what;
  }

  void line(const std::string& line) {
    if (line.starts_with("$ ")) return command(line.substr(2));
    ++at_;
    before_ += line + "\n";
    if (line.empty() || line.starts_with("#")) return;
    const std::string rest = line.substr(std::min(line.size(), line.find(' ') + 1));
    if (line.starts_with("file ")) {
      files_.push_back({rest, raw_block()});
    } else if (line.starts_with("needs ")) {
      case_.needs.push_back(rest);
    } else if (line.starts_with("mask ")) {
      case_.masks.push_back(rest);
    } else if (line.starts_with("timeout ")) {
      case_.timeout_seconds = number(rest);
    } else {
      mistake("line " + std::to_string(at_) + ": expected file, needs, mask, timeout, # or $");
    }
  }

  int number(const std::string& text) {
    int value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) mistake("'" + text + "' is no number");
    return value;
  }

  // The indented lines that follow, without their indentation.
  std::string block() {
    std::string text;
    for (; at_ < lines_.size() && is_block_line(lines_[at_]); ++at_) {
      text += (lines_[at_].empty() ? "" : lines_[at_].substr(kIndent.size())) + "\n";
    }
    return tidy(text);
  }

  // The same, also kept as it stands for rewriting.
  std::string raw_block() {
    const std::size_t begin = at_;
    std::string text = block();
    for (std::size_t i = begin; i < at_; ++i) before_ += lines_[i] + "\n";
    return text;
  }

  void command(const std::string& text) {
    ++at_;
    Step step{std::move(before_), std::move(files_), text, {}};
    before_.clear();
    files_.clear();
    step.expected.out = block();
    while (at_ < lines_.size()) {
      if (lines_[at_] == "stderr any") {
        ++at_;
        step.expected.any_err = true;
        block();
      } else if (lines_[at_] == "stderr") {
        ++at_;
        step.expected.err = block();
      } else if (lines_[at_].starts_with("exit ")) {
        step.expected.exit = number(lines_[at_++].substr(5));
        block();
      } else {
        break;
      }
    }
    case_.steps.push_back(std::move(step));
  }

  std::vector<std::string> lines_;
  std::size_t at_ = 0;
  std::string before_;
  std::vector<InputFile> files_;
  Case case_;
};

std::string indented(const std::string& text) {
  std::string out;
  for (const std::string& line : lines_of(text)) out += (line.empty() ? "" : std::string(kIndent) + line) + "\n";
  return out;
}

}  // namespace

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.size(), text.find('\n'));
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return lines;
}

std::string tidy(std::string_view text) {
  std::string out;
  for (std::string line : lines_of(text)) {
    while (line.ends_with(' ') || line.ends_with('\r') || line.ends_with('\t')) line.pop_back();
    out += line + "\n";
  }
  while (out.ends_with("\n\n") || out == "\n") out.pop_back();
  return out;
}

Case parse_case(std::string_view text, const std::string& path) { return CaseParser(text, path).parse(); }

std::string print_case(const Case& test) {
  std::string out;
  for (const Step& step : test.steps) {
    out += step.before + "$ " + step.command + "\n" + indented(step.expected.out);
    if (step.expected.any_err) {
      out += "stderr any\n";
    } else if (!step.expected.err.empty()) {
      out += "stderr\n" + indented(step.expected.err);
    }
    if (step.expected.exit != 0) out += "exit " + std::to_string(step.expected.exit) + "\n";
    out += "\n";
  }
  return tidy(out + test.after);
}

}  // namespace headrace::tests
