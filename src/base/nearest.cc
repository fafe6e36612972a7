// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "base/value.h"

namespace headrace::base {
namespace {

// Names longer than this are compared by their beginning, so that a megabyte of junk costs no more than a long name.
constexpr std::size_t kCompared = 64;

// So many names can be told where none is near.
constexpr std::size_t kFew = 8;

std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name.substr(0, kCompared)) {
    if (c == '-' || c == '_' || c == ' ' || c == '.') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

// Levenshtein's distance, one row at a time.
double edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = std::exchange(row[0], static_cast<int>(i));
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({change, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row[b.size()];
}

// A name that stands within the other is near, however long the rest: h100 and h100-sxm5-80gb.
double distance(std::string_view a, std::string_view b) {
  const double edits = edit_distance(a, b);
  const std::string_view shorter = a.size() < b.size() ? a : b;
  const std::string_view longer = a.size() < b.size() ? b : a;
  if (shorter.size() < 3 || longer.find(shorter) == longer.npos) return edits;
  return std::min(edits, 1.0 + edits / kCompared);
}

/// Whether a name may be a slip of the other: more than half of it is kept.
bool alike(std::string_view a, std::string_view b) {
  constexpr double kMostChanged = 0.6;
  const std::string x = folded(a);
  const std::string y = folded(b);
  return distance(x, y) <= kMostChanged * double(std::max(x.size(), y.size()));
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& known,
                                       std::size_t count) {
  std::vector<std::pair<double, std::string>> scored;
  scored.reserve(known.size());
  const std::string wanted = folded(name);
  for (const std::string& candidate : known) scored.emplace_back(distance(wanted, folded(candidate)), candidate);
  const std::size_t kept = std::min(count, scored.size());
  std::partial_sort(scored.begin(), scored.begin() + static_cast<std::ptrdiff_t>(kept), scored.end());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kept; ++i) names.push_back(scored[i].second);
  return names;
}

std::optional<Message> nearest_hint(std::string_view name, const std::vector<std::string>& known) {
  if (known.empty()) return std::nullopt;
  std::string list;
  for (const std::string& near : nearest_names(name, known)) {
    if (!alike(name, near)) break;
    if (!list.empty()) list += ", ";
    list += near;
  }
  if (!list.empty()) return Message{"hint.nearest", {list}};
  if (known.size() > kFew) return std::nullopt;
  for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
  return Message{"hint.known", {list}};
}

}  // namespace headrace::base
