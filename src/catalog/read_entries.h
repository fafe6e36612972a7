// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "catalog/catalog.h"
#include "catalog/entry_reader.h"

namespace headrace::catalog {

// One entry of each kind, from its YAML map; `catalog` holds what the entry may refer to. Mistakes go to the reader's
// problems.
Accelerator read_accelerator(EntryReader& reader, const std::string& id, const Catalog& catalog);
Platform read_platform(EntryReader& reader, const std::string& id, const Catalog& catalog);
Network read_network(EntryReader& reader, const std::string& id, const Catalog& catalog);
Price read_price(EntryReader& reader, const std::string& id, const Catalog& catalog);
Software read_software(EntryReader& reader, const std::string& id, const Catalog& catalog);
Constant read_constant(EntryReader& reader);

/// Notes figures of an accelerator that contradict one another: peaks above what its clock gives, memory faster than
/// its kind of memory can be, scale-up bandwidth above its links'.
void check_accelerator(EntryReader& reader, const Accelerator& accelerator, const Catalog& catalog);

/// A word of a fixed vocabulary and what it stands for.
template <typename T>
struct Word {
  std::string_view name;
  T value;
};

/// What a word stands for; a word outside the vocabulary is a problem, with the nearest ones.
template <typename T, std::size_t N>
T word(EntryReader& reader, const std::string& key, const std::string& text, const std::array<Word<T>, N>& words,
       T otherwise) {
  std::vector<std::string> known;
  std::string list;
  for (const Word<T>& candidate : words) {
    if (candidate.name == text) return candidate.value;
    known.emplace_back(candidate.name);
    list += (list.empty() ? "" : ", ") + known.back();
  }
  reader.problem(key, "catalog.unknown_word", {text, list}, base::nearest_hint(text, known));
  return otherwise;
}

}  // namespace headrace::catalog
