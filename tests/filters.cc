// SPDX-License-Identifier: Apache-2.0
#include "filters.h"

#include <fmt/core.h>

#include <algorithm>
#include <regex>

#include "base/value.h"
#include "case_file.h"

namespace headrace::tests {
namespace {

using base::Value;

int to_int(const std::string& text) { return std::atoi(text.c_str()); }

// The value at a dotted path, or nullptr.
const Value* at_path(const Value& root, const std::string& path) {
  const Value* value = &root;
  std::size_t begin = 0;
  while (value != nullptr && begin < path.size()) {
    const std::size_t end = std::min(path.size(), path.find('.', begin));
    const std::string step = path.substr(begin, end - begin);
    if (value->is_list()) {
      const auto index = static_cast<std::size_t>(to_int(step));
      value = index < value->items().size() ? &value->items()[index] : nullptr;
    } else {
      value = value->find(step);
    }
    begin = end + 1;
  }
  return value;
}

std::string compact(const Value& value) {
  std::string out;
  if (value.is_null()) return "null";
  if (value.is_scalar()) return value.raw();
  if (value.is_list()) {
    for (const Value& item : value.items()) out += (out.empty() ? "" : ", ") + compact(item);
    return "[" + out + "]";
  }
  for (const auto& member : value.members()) {
    out += (out.empty() ? "" : ", ") + member.key + ": " + compact(member.value);
  }
  return "{" + out + "}";
}

std::string json_value(const Value& root, std::string path) {
  const bool length = path.ends_with("[]");
  if (length) path.resize(path.size() - 2);
  const Value* value = at_path(root, path);
  if (value == nullptr) return "there is no " + path;
  return length ? std::to_string(value->items().size()) : compact(*value);
}

std::string json(const std::string& text, const std::vector<std::string>& words) {
  const auto root = base::read_json(text, "stdout");
  if (!root) return "stdout is no JSON: " + root.error().what.id + "\n" + text;
  std::string out;
  for (std::size_t i = 1; i < words.size(); ++i) out += json_value(*root, words[i]) + "\n";
  return out;
}

std::string keys(const std::string& text, const std::vector<std::string>& words) {
  const auto root = base::read_json(text, "stdout");
  if (!root) return "stdout is no JSON: " + root.error().what.id + "\n" + text;
  const Value* value = at_path(*root, words.size() > 1 ? words[1] : "");
  if (value == nullptr) return "there is no " + words[1] + "\n";
  std::string out;
  for (const auto& member : value->members()) out += member.key + "\n";
  return out;
}

std::string matching_lines(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::string out;
  for (const std::string& line : lines_of(text)) {
    if (std::regex_search(line, regex)) out += line + "\n";
  }
  return out;
}

std::string head(const std::string& text, int count) {
  std::string out;
  for (const std::string& line : lines_of(text)) {
    if (count-- > 0) out += line + "\n";
  }
  return out;
}

std::string rounded(const std::string& text, int digits) {
  static const std::regex number(R"([0-9]+\.[0-9]+([eE][-+]?[0-9]+)?)");
  std::string out;
  auto rest = text.cbegin();
  for (std::sregex_iterator match(text.begin(), text.end(), number), end; match != end; ++match) {
    out.append(rest, (*match)[0].first);
    out += fmt::format("{:.{}g}", std::stod(match->str()), digits);
    rest = (*match)[0].second;
  }
  return out.append(rest, text.cend());
}

// Where the longest common subsequence of the tails begins: [i][j] is its length.
std::vector<std::vector<int>> common_lengths(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::vector<int>> length(a.size() + 1, std::vector<int>(b.size() + 1, 0));
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      length[i][j] = a[i] == b[j] ? length[i + 1][j + 1] + 1 : std::max(length[i + 1][j], length[i][j + 1]);
    }
  }
  return length;
}

}  // namespace

std::vector<std::string> words_of(const std::string& command, const std::string& shared) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = '\0';
  for (const char c : command) {
    if (quote != '\0' && c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
      inside = true;
    } else if (quote == '\0' && c == ' ') {
      if (inside) words.push_back(std::exchange(word, ""));
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside) words.push_back(word);
  for (std::string& each : words) {
    if (const std::size_t at = each.find("$SHARED"); at != each.npos) each.replace(at, 7, shared);
  }
  return words;
}

std::string filter(const std::string& text, const std::vector<std::string>& words) {
  const std::string name = words.empty() ? "" : words[0];
  const bool has_argument = words.size() > 1;
  if (name == "json" && has_argument) return json(text, words);
  if (name == "keys") return keys(text, words);
  if (name == "grep" && has_argument) return matching_lines(text, words[1]);
  if (name == "head" && has_argument) return head(text, to_int(words[1]));
  if (name == "count") return std::to_string(lines_of(text).size()) + "\n";
  if (name == "round" && has_argument) return rounded(text, to_int(words[1]));
  return "there is no filter '" + name + "'\n";
}

std::string mask(const std::string& text, const std::string& regex) {
  return std::regex_replace(text, std::regex(regex), "$1***");
}

std::string difference(const std::string& expected, const std::string& got) {
  const auto a = lines_of(expected);
  const auto b = lines_of(got);
  constexpr std::size_t kLongest = 2000;
  if (a.size() > kLongest || b.size() > kLongest) return "(too long to compare line by line)\n";
  const auto common = common_lengths(a, b);
  std::string out;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      out += "    " + a[i++] + "\n";
      ++j;
    } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
      out += "  - " + a[i++] + "\n";
    } else {
      out += "  + " + b[j++] + "\n";
    }
  }
  return out;
}

}  // namespace headrace::tests
