// SPDX-License-Identifier: Apache-2.0
#include "scenario/edit.h"

#include <algorithm>

namespace headrace::scenario {
namespace {

// As deep as documents may be, and as much of an option as an error shows.
constexpr auto kDeepest = 100;
constexpr std::size_t kShown = 100;

/// Takes a member out of a map.
void remove(base::Value& node, std::string_view key) {
  std::vector<base::Value::Member> kept;
  for (const auto& member : node.members()) {
    if (member.key != key) kept.push_back(member);
  }
  node = base::Value::map(node.place(), std::move(kept));
}

/// nodes and gpus say the same thing: the newer one takes the other's place.
void remove_other_size(base::Value& node, const std::string& key) {
  if (key == "nodes") remove(node, "gpus");
  if (key == "gpus") remove(node, "nodes");
}

base::Result<void> put(base::Value& node, std::string_view path, base::Value value, const base::Place& place) {
  const std::size_t dot = path.find('.');
  const std::string key(path.substr(0, dot));
  if (key.empty()) return base::input_error(place, "set.empty_key");
  if (node.is_null()) node = base::Value::map(place, {});
  if (!node.is_map()) return base::input_error(place, "set.not_a_map", {key, node.kind_id()});
  if (dot == std::string_view::npos) {
    remove_other_size(node, key);
    node.set(key, std::move(value));
    return {};
  }
  const base::Value* old = node.find(key);
  base::Value child = old ? *old : base::Value::null(place);
  // A word such as `auto` where a map could stand gives way to the map.
  if (child.is_scalar()) child = base::Value::null(place);
  CHECK_OK(put(child, path.substr(dot + 1), std::move(value), place));
  node.set(key, std::move(child));
  return {};
}

}  // namespace

base::Value moved_to(const base::Value& value, const base::Place& place) {
  switch (value.kind()) {
    case base::Value::Kind::kNull: return base::Value::null(place);
    case base::Value::Kind::kScalar: return base::Value::scalar(place, value.raw(), value.quoted());
    case base::Value::Kind::kList: {
      std::vector<base::Value> items;
      for (const base::Value& item : value.items()) items.push_back(moved_to(item, place));
      return base::Value::list(place, std::move(items));
    }
    case base::Value::Kind::kMap: break;
  }
  std::vector<base::Value::Member> members;
  for (const auto& member : value.members()) members.push_back({member.key, place, moved_to(member.value, place)});
  return base::Value::map(place, std::move(members));
}

base::Result<void> edit(base::Value& document, std::string_view path, std::string_view text,
                        const std::string& origin) {
  const base::Place place{origin, 0, 0};
  if (std::ranges::count(path, '.') >= kDeepest)
    return base::input_error(place, "base.too_deep", {std::to_string(kDeepest)});
  TRY(const base::Value value, base::read_yaml(text, origin));
  return put(document, path, moved_to(value, place), place);
}

base::Result<void> edit_set(base::Value& document, const std::string& assignment) {
  const std::string origin = "--set " + assignment.substr(0, kShown);
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos) return base::input_error({origin, 0, 0}, "set.no_equals");
  return edit(document, assignment.substr(0, equals), assignment.substr(equals + 1), origin);
}

}  // namespace headrace::scenario
