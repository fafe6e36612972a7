// SPDX-License-Identifier: Apache-2.0
#include "base/json_writer.h"
#include "report/catalog_text.h"

namespace headrace::report {
namespace {

// "fact.memory_bandwidth" is the key memory_bandwidth; a release's own facts keep their names.
std::string key_of(const std::string& label) {
  const std::string prefix = "fact.";
  return label.starts_with(prefix) ? label.substr(prefix.size()) : label;
}

void write(base::JsonWriter& json, const CatalogFact& fact) {
  json.key(key_of(fact.label));
  if (fact.text.empty()) {
    json.null();
  } else if (fact.text == "word.yes" || fact.text == "word.no") {
    json.boolean(fact.text == "word.yes");
  } else if (fact.text == "word.none") {
    json.text("");
  } else if (!fact.number) {
    json.text(fact.text);
  } else if (fact.unit.empty()) {
    json.number(*fact.number);
  } else {
    json.begin_object().member("value", *fact.number).member("unit", fact.unit).end_object();
  }
}

void write(base::JsonWriter& json, const char* key, const std::vector<std::string>& texts) {
  json.key(key).begin_array();
  for (const std::string& text : texts) json.text(text);
  json.end_array();
}

void write(base::JsonWriter& json, const CatalogKinds& view, const Language&) {
  json.key("kinds").begin_array();
  for (const CatalogKinds::Kind& kind : view.kinds)
    json.begin_object().member("kind", kind.id).member("entries", std::int64_t(kind.entries)).end_object();
  json.end_array();
}

void write(base::JsonWriter& json, const CatalogTable& view, const Language&) {
  if (!view.kind.empty()) json.member("kind", view.kind);
  json.key("entries").begin_array();
  for (const auto& row : view.rows) {
    json.begin_object();
    for (const CatalogFact& fact : row) write(json, fact);
    json.end_object();
  }
  json.end_array();
}

void write(base::JsonWriter& json, const CatalogEntry& view, const Language&) {
  json.key("entry").begin_object();
  json.member("kind", view.kind).member("id", view.id).member("name", view.name);
  write(json, "aliases", view.aliases);
  json.key("facts").begin_object();
  for (const CatalogFact& fact : view.facts) write(json, fact);
  json.end_object();
  write(json, "sources", view.sources);
  json.member("notes", view.notes).end_object();
}

void write(base::JsonWriter& json, const CatalogCheck& view, const Language& language) {
  json.member("file", view.file).member("good", view.problems.empty());
  json.key("problems").begin_array();
  for (const base::Error& problem : view.problems) {
    json.begin_object().member("id", problem.what.id).member("line", problem.where.line);
    json.member("column", problem.where.column).member("message", say_error(problem, language)).end_object();
  }
  json.end_array();
}

}  // namespace

std::string catalog_json(const CatalogView& view, const Language& language) {
  base::JsonWriter json;
  json.begin_object().member("headrace", 1).member("verb", "catalog");
  std::visit([&](const auto& part) { write(json, part, language); }, view);
  json.end_object();
  return json.take();
}

}  // namespace headrace::report
