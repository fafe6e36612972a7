// SPDX-License-Identifier: Apache-2.0
#include "catalog/entry_reader.h"

#include <algorithm>

#include "catalog/read_entries.h"

namespace headrace::catalog {
namespace {

// "epoch-hardware, row 'NVIDIA T4'" with the short name spelled out; a URL or a sentence stays as it is.
std::optional<std::string> spell_out(const std::string& source, const std::map<std::string, std::string>& known) {
  const std::string name = source.substr(0, source.find(','));
  const auto found = known.find(name);
  if (found != known.end()) return found->second + source.substr(name.size());
  const bool own_words = source.find("://") != source.npos || source.find(' ') != source.npos;
  return own_words ? std::optional(source) : std::nullopt;
}

std::vector<std::string> keys_of(const std::map<std::string, std::string>& map) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : map) keys.push_back(key);
  return keys;
}

}  // namespace

void EntryReader::entry(Entry& entry, const std::string& id, const std::map<std::string, std::string>& known_sources) {
  entry.id = id;
  entry.name = text("name");
  entry.aliases = texts("aliases");
  entry.notes = optional_text("notes");
  for (const std::string& source : texts("sources")) {
    if (auto spelled = spell_out(source, known_sources)) {
      entry.sources.push_back(std::move(*spelled));
    } else {
      problem("sources", "catalog.unknown_source", {source}, base::nearest_hint(source, keys_of(known_sources)));
    }
  }
  const base::Value* sources = member("sources");
  if (sources == nullptr || (sources->is_list() && sources->items().empty()))
    problem("sources", "catalog.no_source", {id});
}

std::string EntryReader::text(const std::string& key) { return keep(fields_.text(key), std::string()); }

std::string EntryReader::optional_text(const std::string& key) {
  return keep(fields_.text_or(key, std::string()), std::string());
}

std::vector<std::string> EntryReader::texts(const std::string& key) {
  return keep(fields_.texts(key), std::vector<std::string>());
}

bool EntryReader::flag(const std::string& key) { return keep(fields_.boolean_or(key, false), false); }

std::optional<int> EntryReader::count(const std::string& key, base::Range<std::int64_t> range) {
  const auto value = keep(fields_.maybe_integer(key, range), std::optional<std::int64_t>());
  return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

std::optional<double> EntryReader::number(const std::string& key, base::Range<double> range) {
  return keep(fields_.maybe_number(key, range), std::optional<double>());
}

std::optional<double> EntryReader::figure(const std::string& key, base::Measure measure, Bounds bounds) {
  const base::Value* value = fields_.optional(key);
  if (value == nullptr) return std::nullopt;
  auto read = base::parse_quantity(*value, measure);
  if (!read) {
    problem(std::move(read.error()));
    return std::nullopt;
  }
  const double low = base::parse_quantity(bounds.low, measure, {}).value_or(0);
  const double high = base::parse_quantity(bounds.high, measure, {}).value_or(0);
  if (*read >= low && *read <= high) return *read;
  problem(key, "catalog.impossible", {key, value->raw(), bounds.low, bounds.high});
  return std::nullopt;
}

std::optional<EntryReader> EntryReader::part(const std::string& key) {
  const base::Value* value = fields_.optional(key);
  if (value == nullptr) return std::nullopt;
  if (value->is_map()) return EntryReader(*value, *problems_);
  problem(key, "catalog.expected_part", {key});
  return std::nullopt;
}

base::Place EntryReader::place(const std::string& key) const {
  const base::Value* value = value_->find(key);
  return value == nullptr ? value_->place() : value->place();
}

void EntryReader::problem(const std::string& key, std::string id, std::vector<std::string> arguments,
                          std::optional<base::Message> hint) {
  problems_->push_back(base::input_error(place(key), std::move(id), std::move(arguments), std::move(hint)).value());
}

void check_word(EntryReader& reader, const std::string& key, const std::string& word,
                std::span<const std::string_view> possible) {
  if (std::find(possible.begin(), possible.end(), word) != possible.end()) return;
  std::string list;
  for (const std::string_view& one : possible) list += (list.empty() ? "" : ", ") + std::string(one);
  const std::vector<std::string> known(possible.begin(), possible.end());
  reader.problem(key, "catalog.unknown_word", {word, list}, base::nearest_hint(word, known));
}

void EntryReader::finish() {
  if (auto done = fields_.finish(); !done) problem(std::move(done.error()));
}

}  // namespace headrace::catalog
