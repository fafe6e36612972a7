// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "report/text_parts.h"

namespace headrace::report {
namespace {

struct Line {
  std::string text;
  std::string origin;
};

/// A scalar as YAML reads it back.
std::string scalar_text(const base::Value& value) {
  if (value.is_null()) return "null";
  if (!value.quoted() && value.raw().find_first_of(":#{}[],&*?|>\"'%@`") == std::string::npos) return value.raw();
  std::string text = "\"";
  for (const char c : value.raw()) text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return text + "\"";
}

std::string flow_text(const base::Value& value) {
  if (!value.is_list()) return scalar_text(value);
  std::string text;
  for (const base::Value& item : value.items()) text += (text.empty() ? "" : ", ") + flow_text(item);
  return "[" + text + "]";
}

/// Where a value was written; what nobody wrote names its rule by a message id.
std::string origin_of(const base::Place& place, const Language& language) {
  std::string origin = language.say(place.file);
  if (place.line > 0) origin += ":" + std::to_string(place.line);
  return origin;
}

void add_lines(const base::Value& map, int depth, std::vector<Line>& lines, const Language& language) {
  for (const auto& member : map.members()) {
    const std::string margin(std::size_t(depth) * 2, ' ');
    const bool maps = member.value.is_list() && std::any_of(member.value.items().begin(), member.value.items().end(),
                                                            [](const base::Value& item) { return item.is_map(); });
    if (member.value.is_map()) {
      lines.push_back({margin + member.key + ":", ""});
      add_lines(member.value, depth + 1, lines, language);
    } else if (maps) {
      lines.push_back({margin + member.key + ":", ""});
      for (const base::Value& item : member.value.items()) {
        lines.push_back({margin + "  -", ""});
        if (item.is_map())
          add_lines(item, depth + 2, lines, language);
        else
          lines.back().text += " " + scalar_text(item);
      }
    } else {
      lines.push_back(
          {margin + member.key + ": " + flow_text(member.value), origin_of(member.value.place(), language)});
    }
  }
}

}  // namespace

std::string scenario_text(const scenario::Scenario& scenario, const Reader& reader) {
  std::vector<Line> lines;
  add_lines(scenario.resolved, 0, lines, reader.language);
  int width = 0;
  constexpr int kWidest = 44;
  for (const Line& line : lines) width = std::max(width, std::min(kWidest, display_width(line.text)));
  std::string out;
  for (const Line& line : lines) {
    out += line.origin.empty()
               ? line.text
               : pad_right(line.text, width) + "  " + paint("# " + line.origin, Paint::kDim, reader.terminal);
    out += "\n";
  }
  return out;
}

}  // namespace headrace::report
