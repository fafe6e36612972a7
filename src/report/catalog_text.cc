// SPDX-License-Identifier: Apache-2.0
#include "report/catalog_text.h"

#include <fmt/core.h>

#include <algorithm>

namespace headrace::report {
namespace {

struct Page {
  const Language& language;
  const Terminal& terminal;

  [[nodiscard]] std::string heading(const std::string& id) const {
    return paint(language.say(id), Paint::kBold, terminal);
  }
  [[nodiscard]] std::string said(const CatalogFact& fact) const {
    return fact.text.starts_with("word.") ? language.say(fact.text) : fact.text;
  }
};

/// The text in lines that all start with `indent` spaces, after `first` on the first line.
std::string block(const std::string& first, const std::string& text, int indent, const Page& page) {
  std::string out = pad_right(first, indent);
  for (const char c : wrap(text, std::max(20, page.terminal.columns - indent))) {
    out += c;
    if (c == '\n') out += std::string(static_cast<std::size_t>(indent), ' ');
  }
  return out + "\n";
}

/// The head of a column: its own short word where there is one, else the fact's name.
std::string head(const std::string& label, const Language& language) {
  const std::string column = "column." + label.substr(label.find('.') + 1);
  return language.say(language.sentences().contains(column) ? column : label);
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + text;
  return out;
}

std::string draw(const CatalogKinds& view, const Page& page) {
  TextTable table;
  table.column(page.language.say("fact.kind"));
  table.column(page.language.say("fact.entries"), TextTable::Align::kRight);
  table.column(page.language.say("fact.holds"));
  for (const CatalogKinds::Kind& kind : view.kinds)
    table.row({kind.id, std::to_string(kind.entries), page.language.say("catalog.about." + kind.id)});
  return table.draw(page.terminal) + "\n" + wrap(page.language.say("catalog.next"), page.terminal.columns) + "\n";
}

/// A table's texts, column by column, each with its head.
std::vector<std::vector<std::string>> columns_of(const CatalogTable& view, const Page& page) {
  std::vector<std::vector<std::string>> columns;
  for (std::size_t i = 0; i < view.labels.size(); ++i) {
    columns.push_back({head(view.labels[i], page.language)});
    for (const auto& row : view.rows) columns[i].push_back(row[i].text.empty() ? "–" : page.said(row[i]));
  }
  return columns;
}

int width_of(const std::vector<std::string>& column) {
  int widest = 0;
  for (const std::string& text : column) widest = std::max(widest, display_width(text));
  return widest;
}

constexpr int kIndent = 2, kGap = 2;
constexpr int kShortest = 12;  ///< columns that a cut last text still says something in

/// How many columns fit: the last may be cut, those beyond are left out.
std::size_t fitting(const std::vector<std::vector<std::string>>& columns, int room) {
  int used = kIndent;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const int width = width_of(columns[i]);
    const int least = i + 1 == columns.size() ? std::min(width, kShortest) : width;
    if (i > 1 && used + least > room) return i;
    used += width + kGap;
  }
  return columns.size();
}

std::string draw(const CatalogTable& view, const Page& page) {
  if (view.rows.empty()) return page.language.say("catalog.nothing_found") + "\n";
  const auto columns = columns_of(view, page);
  const std::size_t shown = fitting(columns, page.terminal.columns);
  TextTable table;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool figures =
        std::any_of(view.rows.begin(), view.rows.end(), [&](const auto& row) { return row[i].number; });
    table.column(columns[i].front(), figures ? TextTable::Align::kRight : TextTable::Align::kLeft);
  }
  for (std::size_t row = 1; row <= view.rows.size(); ++row) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < shown; ++i) cells.push_back(columns[i][row]);
    table.row(std::move(cells));
  }
  std::string out = table.draw(page.terminal);
  const std::string note = "catalog.table." + view.kind;
  if (page.language.sentences().contains(note)) out += "\n" + block("", page.language.say(note), 2, page);
  return out;
}

std::string draw_facts(const std::vector<CatalogFact>& facts, const Page& page) {
  int widest = 0;
  for (const CatalogFact& fact : facts)
    if (!fact.text.empty()) widest = std::max(widest, display_width(page.language.say(fact.label)));
  std::string out;
  for (const CatalogFact& fact : facts) {
    if (!fact.text.empty()) out += block("  " + page.language.say(fact.label), page.said(fact), widest + 4, page);
  }
  return out;
}

std::string draw_unknown(const std::vector<CatalogFact>& facts, const Page& page) {
  std::vector<std::string> unknown;
  for (const CatalogFact& fact : facts)
    if (fact.text.empty()) unknown.push_back(page.language.say(fact.label));
  if (unknown.empty()) return "";
  return "\n" + paint(block("", page.language.say("catalog.unknown_facts", {joined(unknown)}), 2, page), Paint::kDim,
                      page.terminal);
}

std::string draw(const CatalogEntry& view, const Page& page) {
  std::string out = paint(view.name, Paint::kBold, page.terminal) + "  " + view.id + "  (" +
                    page.language.say("catalog.one." + view.kind) + ")\n";
  if (!view.aliases.empty()) out += block("", page.language.say("catalog.also", {joined(view.aliases)}), 2, page);
  out += "\n" + draw_facts(view.facts, page) + draw_unknown(view.facts, page);
  if (!view.notes.empty()) out += "\n" + page.heading("catalog.notes") + "\n" + block("", view.notes, 2, page);
  if (!view.sources.empty()) out += "\n" + page.heading("catalog.sources") + "\n";
  for (const std::string& source : view.sources) out += "  " + source + "\n";
  return out;
}

std::string draw(const CatalogCheck& view, const Page& page) {
  if (view.problems.empty()) return page.language.say("catalog.check_good", {view.file}) + "\n";
  std::string out;
  for (const base::Error& problem : view.problems) out += say_error(problem, page.language) + "\n";
  return out + page.language.say("catalog.check_bad", {view.file, std::to_string(view.problems.size())}) + "\n";
}

}  // namespace

std::string catalog_text(const CatalogView& view, const Language& language, const Terminal& terminal) {
  const Page page{language, terminal};
  return std::visit([&](const auto& part) { return draw(part, page); }, view);
}

}  // namespace headrace::report
