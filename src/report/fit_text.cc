// SPDX-License-Identifier: Apache-2.0
#include "report/fit_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/json_writer.h"
#include "report/text_parts.h"

namespace headrace::report {

namespace {

using catalog::Refitted;

std::string number(double value) { return fmt::format("{:.4g}", value); }

std::string constant_table(const std::vector<Refitted>& constants, const Reader& reader) {
  const Language& language = reader.language;
  TextTable table;
  table.column(language.say("column.constant"));
  table.column(language.say("column.fitted"), TextTable::Align::kRight);
  table.column(language.say("column.unit"));
  table.column(language.say("column.shipped"), TextTable::Align::kRight);
  table.column(language.say("column.range"));
  table.column(language.say("column.rows"), TextTable::Align::kRight);
  table.column(language.say("column.sources"), TextTable::Align::kRight);
  for (const Refitted& line : constants) {
    const std::string range = number(line.fitted.low) + " … " + number(line.fitted.high);
    table.row({line.key, number(line.fitted.value), line.fitted.unit == "1" ? "" : line.fitted.unit,
               number(line.shipped.value), line.at_edge() ? range + " !" : range, grouped(line.fitted.rows),
               grouped(line.fitted.sources)});
  }
  return table.draw(reader.terminal);
}

}  // namespace

std::string fit_text(const std::vector<catalog::Refitted>& constants, bool as_shipped, const Reader& reader) {
  const auto count = [&](auto pick) { return grouped(std::count_if(constants.begin(), constants.end(), pick)); };
  const std::string moved = count([](const Refitted& l) { return l.fitted.value != l.shipped.value; });
  const std::string edges = count([](const Refitted& l) { return l.at_edge(); });
  const std::string all = grouped(std::int64_t(constants.size()));
  return paragraph(as_shipped ? reader.language.say("fit.as_shipped", {all})
                              : reader.language.say("fit.differs", {moved, all}),
                   reader) +
         paragraph(reader.language.say("fit.edges", {edges}), reader) + "\n" + constant_table(constants, reader);
}

std::string fit_json(const std::vector<catalog::Refitted>& constants, bool as_shipped) {
  base::JsonWriter json;
  json.begin_object().member("headrace", 1).member("verb", "fit").member("as_shipped", as_shipped);
  json.key("constants").begin_array();
  for (const Refitted& line : constants) {
    json.begin_object().member("key", line.key).member("unit", line.fitted.unit);
    json.member("shipped", line.shipped.value).member("fitted", line.fitted.value);
    json.member("low", line.fitted.low).member("high", line.fitted.high).member("rows", line.fitted.rows);
    json.member("sources", line.fitted.sources).member("at_edge", line.at_edge()).end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace headrace::report
