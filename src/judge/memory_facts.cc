// SPDX-License-Identifier: Apache-2.0
#include "judge/memory_facts.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/embedded.h"
#include "base/value.h"

namespace headrace::judge {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The number (digits, with commas or a point inside) between `before` and `after` in a cell, commas dropped.
std::optional<std::string> number_between(const std::string& cell, const std::string& before,
                                          const std::string& after) {
  for (std::size_t at = cell.find(before); at != std::string::npos; at = cell.find(before, at + 1)) {
    std::size_t begin = at + before.size();
    if (before.empty() && at > 0 && is_digit(cell[at - 1])) continue;
    std::size_t end = begin;
    while (end < cell.size() && (is_digit(cell[end]) || ((cell[end] == ',' || cell[end] == '.') &&
                                                         end + 1 < cell.size() && is_digit(cell[end + 1]))))
      ++end;
    if (end > begin && is_digit(cell[begin]) && cell.compare(end, after.size(), after) == 0) {
      std::string number = cell.substr(begin, end - begin);
      number.erase(std::remove(number.begin(), number.end(), ','), number.end());
      return number;
    }
    if (at + 1 > cell.size()) break;
  }
  return std::nullopt;
}

/// What a phrase sets when it stands in a cell.
std::optional<std::string> said(const MemoryFacts::Phrase& phrase, const std::string& cell) {
  const std::size_t mark = phrase.says.find('#');
  if (mark == std::string::npos) {
    if (cell.find(lower(phrase.says)) == std::string::npos) return std::nullopt;
    return phrase.to;
  }
  const auto number = number_between(cell, lower(phrase.says.substr(0, mark)), lower(phrase.says.substr(mark + 1)));
  if (!number) return std::nullopt;
  return phrase.to == "#" ? *number : phrase.to;
}

base::Result<MemoryFacts::Framework> read_framework(const base::Value& value) {
  base::Fields fields(value);
  MemoryFacts::Framework framework;
  TRY(framework.words, fields.texts("words"));
  TRY(framework.until, fields.number_or("until", framework.until, {1980, 9999}));
  TRY(framework.software, fields.text("software"));
  if (const base::Value* sets = fields.optional("sets")) {
    for (const auto& member : sets->members()) {
      TRY(framework.sets[member.key], member.value.text());
    }
  }
  CHECK_OK(fields.finish());
  return framework;
}

base::Result<MemoryFacts::Phrase> read_phrase(const base::Value& value) {
  base::Fields fields(value);
  MemoryFacts::Phrase phrase;
  TRY(phrase.column, fields.text_or("column", "notes"));
  TRY(phrase.says, fields.text("says"));
  TRY(phrase.sets, fields.text("sets"));
  TRY(phrase.to, fields.text("to"));
  CHECK_OK(fields.finish());
  return phrase;
}

}  // namespace

const MemoryFacts::Framework* MemoryFacts::framework(const std::string& cell, double year) const {
  const std::string folded = lower(cell);
  for (const Framework& framework : frameworks) {
    const bool fits = std::all_of(framework.words.begin(), framework.words.end(), [&](const std::string& word) {
      return folded.find(lower(word)) != std::string::npos;
    });
    if (fits && year <= framework.until) return &framework;
  }
  return nullptr;
}

std::map<std::string, std::string> MemoryFacts::settings(const base::CsvTable& table,
                                                         const base::CsvTable::Row& row) const {
  std::map<std::string, std::string> found;
  for (const Phrase& phrase : phrases)
    if (const auto value = said(phrase, lower(table.cell(row, phrase.column)))) found[phrase.sets] = *value;
  return found;
}

base::Result<MemoryFacts> read_memory_facts(std::string_view yaml, const std::string& file) {
  TRY(const base::Value document, base::read_yaml(yaml, file));
  base::Fields fields(document);
  MemoryFacts facts;
  TRY(const base::Value* frameworks, fields.required("frameworks"));
  for (const base::Value& item : frameworks->items()) {
    TRY(auto framework, read_framework(item));
    facts.frameworks.push_back(std::move(framework));
  }
  TRY(const base::Value* phrases, fields.required("phrases"));
  for (const base::Value& item : phrases->items()) {
    TRY(auto phrase, read_phrase(item));
    facts.phrases.push_back(std::move(phrase));
  }
  TRY(facts.model_endings, fields.texts("model_endings"));
  CHECK_OK(fields.finish());
  return facts;
}

base::Result<MemoryFacts> load_memory_facts() {
  const std::string path = "evidence/memory_facts.yaml";
  return read_memory_facts(base::embedded_text(path), path);
}

}  // namespace headrace::judge
