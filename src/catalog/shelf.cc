// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include "base/value.h"
#include "catalog/catalog.h"

namespace headrace::catalog {
namespace {

// The word that ends message ids and opens lists: catalog.unknown_accelerator.
const char* kind_word(const Accelerator&) { return "accelerator"; }
const char* kind_word(const Platform&) { return "platform"; }
const char* kind_word(const Network&) { return "network"; }
const char* kind_word(const Price&) { return "price"; }
const char* kind_word(const Software&) { return "software"; }

std::vector<std::string> names_of(const Entry& entry) {
  std::vector<std::string> names = entry.aliases;
  names.push_back(entry.id);
  names.push_back(entry.name);
  return names;
}

// People write "NVIDIA H100-SXM5-80GB" as readily as "H100-SXM5-80GB".
std::vector<std::string> names_of(const Accelerator& accelerator) {
  std::vector<std::string> names = names_of(static_cast<const Entry&>(accelerator));
  const std::size_t own = names.size();
  for (std::size_t i = 0; i < own; ++i) names.push_back(accelerator.vendor + " " + names[i]);
  return names;
}

// Many prices bear the same words.
std::vector<std::string> names_of(const Price& price) { return {price.id}; }

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

constexpr std::size_t kShortestStem = 3;
constexpr std::size_t kMostListed = 6;

std::string joined(const std::vector<std::string>& ids) {
  std::string list;
  for (std::size_t i = 0; i < ids.size() && i < kMostListed; ++i) list += (i == 0 ? "" : ", ") + ids[i];
  return ids.size() > kMostListed ? list + ", …" : list;
}

}  // namespace

std::string fold_name(std::string_view name) {
  std::string folded;
  folded.reserve(name.size());
  for (const char c : name) {
    if (c == '-' || c == '_' || c == ' ') continue;
    folded += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return folded;
}

template <typename T>
base::Result<void> Shelf<T>::add(T entry, const base::Place& place) {
  const std::vector<std::string> names = names_of(entry);
  for (const std::string& name : names) {
    const auto taken = by_name_.find(fold_name(name));
    if (taken != by_name_.end()) return base::input_error(place, "catalog.taken", {name, taken->second});
  }
  for (const std::string& name : names) by_name_.emplace(fold_name(name), entry.id);
  std::string id = entry.id;
  entries_.emplace(std::move(id), std::move(entry));
  return {};
}

template <typename T>
const T* Shelf<T>::find(std::string_view name) const {
  const auto found = by_name_.find(fold_name(name));
  return found == by_name_.end() ? nullptr : &entries_.at(found->second);
}

template <typename T>
std::vector<std::string> Shelf<T>::candidates(std::string_view name) const {
  const std::string stem = fold_name(name);
  std::vector<std::string> ids;
  if (stem.size() < kShortestStem) return ids;
  for (auto it = by_name_.lower_bound(stem); it != by_name_.end() && it->first.starts_with(stem); ++it) {
    // A10 is no stem of A100.
    const bool cuts_number =
        is_digit(stem.back()) && it->first.size() > stem.size() && is_digit(it->first[stem.size()]);
    if (!cuts_number) ids.push_back(it->second);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

template <typename T>
base::Result<const T*> Shelf<T>::get(std::string_view name, const base::Place& place) const {
  if (const T* entry = find(name)) return entry;
  const std::string word = kind_word(T());
  const std::vector<std::string> meant = candidates(name);
  if (meant.size() > 1) return base::input_error(place, "catalog.which_" + word, {std::string(name), joined(meant)});
  std::vector<std::string> known;
  for (const auto& [id, entry] : entries_) known.push_back(id);
  return base::input_error(place, "catalog.unknown_" + word, {std::string(name), std::to_string(known.size())},
                           base::nearest_hint(name, known));
}

template class Shelf<Accelerator>;
template class Shelf<Platform>;
template class Shelf<Network>;
template class Shelf<Price>;
template class Shelf<Software>;

}  // namespace headrace::catalog
