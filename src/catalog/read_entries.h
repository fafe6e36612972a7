// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
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

/// Notes a word that is not among those possible, with the nearest ones.
void check_word(EntryReader& reader, const std::string& key, const std::string& word,
                std::span<const std::string_view> possible);

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
  std::array<std::string_view, N> possible;
  for (std::size_t i = 0; i < N; ++i) {
    if (words[i].name == text) return words[i].value;
    possible[i] = words[i].name;
  }
  check_word(reader, key, text, possible);
  return otherwise;
}

}  // namespace headrace::catalog
