// SPDX-License-Identifier: Apache-2.0
#include "verbs/catalog.h"

#include <algorithm>
#include <functional>

#include "base/embedded.h"
#include "verbs/catalog_facts.h"

namespace headrace::verbs {
namespace {

using report::CatalogEntry;
using report::CatalogFact;
using report::CatalogKinds;
using report::CatalogTable;
using report::CatalogView;

/// One kind of entry: what its table shows, how its entries are listed and found.
struct Kind {
  std::string id;
  std::vector<std::string> columns;  ///< fact labels after id and name
  std::function<std::vector<CatalogEntry>(const catalog::Catalog&)> list;
  std::function<base::Result<CatalogEntry>(const catalog::Catalog&, const std::string&)> get;
  std::function<bool(const catalog::Catalog&, const std::string&)> has;
};

template <typename T>
CatalogEntry entry_of(const std::string& kind, const T& entry) {
  return {kind, entry.id, entry.name, entry.aliases, facts_of(entry), entry.sources, entry.notes};
}

template <typename T>
Kind shelf_kind(const std::string& id, std::vector<std::string> columns, catalog::Shelf<T> catalog::Catalog::* shelf) {
  const auto list = [id, shelf](const catalog::Catalog& catalog) {
    std::vector<CatalogEntry> entries;
    for (const auto& [key, entry] : (catalog.*shelf).entries()) entries.push_back(entry_of(id, entry));
    return entries;
  };
  const auto get = [id, shelf](const catalog::Catalog& catalog, const std::string& name) -> base::Result<CatalogEntry> {
    TRY(const T* entry, (catalog.*shelf).get(name, {}));
    return entry_of(id, *entry);
  };
  const auto has = [shelf](const catalog::Catalog& catalog, const std::string& name) {
    return (catalog.*shelf).find(name) != nullptr;
  };
  return {id, std::move(columns), list, get, has};
}

CatalogEntry model_entry(const workload::Model& model) {
  return {"models", model.id, model.architecture.name, model.aliases, facts_of(model), model.sources, ""};
}

std::vector<CatalogEntry> list_models(const catalog::Catalog&) {
  std::vector<CatalogEntry> entries;
  for (const base::EmbeddedFile& file : base::embedded_under("catalog/models/")) {
    const auto models = workload::read_models(file.text, std::string(file.path));
    if (!models) continue;
    for (const workload::Model& model : *models) entries.push_back(model_entry(model));
  }
  std::ranges::sort(entries, {}, &CatalogEntry::id);
  return entries;
}

base::Result<CatalogEntry> get_model(const catalog::Catalog&, const std::string& name) {
  TRY(const workload::Model model, workload::built_in_model(name, {}));
  return model_entry(model);
}

CatalogEntry scenario_entry(const scenario::BuiltIn& built_in) {
  return {"scenarios", built_in.id, built_in.shows, {}, {}, {}, std::string(built_in.text)};
}

std::vector<CatalogEntry> list_scenarios(const catalog::Catalog&) {
  std::vector<CatalogEntry> entries;
  for (const scenario::BuiltIn& built_in : scenario::built_ins()) entries.push_back(scenario_entry(built_in));
  return entries;
}

CatalogEntry constant_entry(const std::string& key, const catalog::Constant& constant) {
  return {"constants", key, key, {}, facts_of(constant), {}, ""};
}

std::vector<CatalogEntry> list_constants(const catalog::Catalog& catalog) {
  std::vector<CatalogEntry> entries;
  for (const auto& [key, constant] : catalog.calibration.all()) entries.push_back(constant_entry(key, constant));
  return entries;
}

/// The entry of a listed kind by its id; kinds without aliases have no better way.
base::Result<CatalogEntry> pick(std::vector<CatalogEntry> entries, const std::string& kind, const std::string& id) {
  std::vector<std::string> known;
  for (CatalogEntry& entry : entries) {
    if (catalog::fold_name(entry.id) == catalog::fold_name(id)) return std::move(entry);
    known.push_back(entry.id);
  }
  return base::input_error({}, "catalog.unknown_id", {id, kind}, base::nearest_hint(id, known));
}

template <typename List>
Kind listed_kind(const std::string& id, std::vector<std::string> columns, List list) {
  const auto get = [id, list](const catalog::Catalog& catalog, const std::string& name) {
    return pick(list(catalog), id, name);
  };
  const auto has = [get](const catalog::Catalog& catalog, const std::string& name) {
    return get(catalog, name).has_value();
  };
  return {id, std::move(columns), list, get, has};
}

std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds{
      shelf_kind(
          "accelerators",
          {"fact.memory", "fact.memory_bandwidth", "fact.peak_16bit", "fact.scaleup_bandwidth", "fact.power_limit"},
          &catalog::Catalog::accelerators),
      shelf_kind(
          "platforms",
          {"fact.accelerator", "fact.accelerators", "fact.scaleup_bandwidth", "fact.network", "fact.network_bandwidth"},
          &catalog::Catalog::platforms),
      shelf_kind("networks", {"fact.kind", "fact.port_bandwidth", "fact.ports", "fact.latency"},
                 &catalog::Catalog::networks),
      shelf_kind("software", {"fact.use", "fact.year", "fact.attention"}, &catalog::Catalog::software),
      shelf_kind("prices", {"fact.price", "fact.unit", "fact.date", "fact.region"}, &catalog::Catalog::prices)};
  Kind models =
      listed_kind("models", {"fact.parameters", "fact.active_parameters", "fact.layers", "fact.hidden"}, list_models);
  models.get = get_model;
  models.has = [](const catalog::Catalog&, const std::string& name) {
    return workload::built_in_model(name, {}).has_value();
  };
  kinds.push_back(std::move(models));
  kinds.push_back(listed_kind("scenarios", {}, list_scenarios));
  kinds.push_back(
      listed_kind("constants", {"fact.value", "fact.low", "fact.high", "fact.unit", "fact.basis"}, list_constants));
  return kinds;
}

const CatalogFact* find_fact(const CatalogEntry& entry, const std::string& label) {
  const auto found = std::find_if(entry.facts.begin(), entry.facts.end(),
                                  [&](const CatalogFact& known) { return known.label == label; });
  return found == entry.facts.end() ? nullptr : &*found;
}

CatalogFact cell(const CatalogEntry& entry, const std::string& label) {
  if (label == "fact.id") return fact(label, entry.id);
  if (label == "fact.name") return fact(label, entry.name);
  if (label == "fact.of_kind") return fact(label, entry.kind);
  if (label != "fact.peak_16bit") {
    const CatalogFact* known = find_fact(entry, label);
    return known ? *known : fact(label, "");
  }
  const CatalogFact* known = find_fact(entry, "fact.peak_bf16");
  if (known == nullptr) known = find_fact(entry, "fact.peak_fp16");
  return known ? CatalogFact{label, known->text, known->number, known->unit} : fact(label, "");
}

CatalogTable table_of(const std::string& kind, std::vector<std::string> labels,
                      const std::vector<CatalogEntry>& entries) {
  CatalogTable table{kind, std::move(labels), {}};
  for (const CatalogEntry& entry : entries) {
    Facts row;
    for (const std::string& label : table.labels) row.push_back(cell(entry, label));
    table.rows.push_back(std::move(row));
  }
  return table;
}

CatalogTable table_of(const Kind& kind, const catalog::Catalog& catalog) {
  std::vector<std::string> labels{"fact.id"};
  labels.insert(labels.end(), kind.columns.begin(), kind.columns.end());
  if (kind.id != "constants") labels.emplace_back("fact.name");
  return table_of(kind.id, std::move(labels), kind.list(catalog));
}

const Kind* kind_named(const std::vector<Kind>& kinds, const std::string& word) {
  const std::string folded = catalog::fold_name(word);
  for (const Kind& kind : kinds) {
    const std::string& id = kind.id;
    if (folded == id || folded + "s" == id) return &kind;
  }
  return nullptr;
}

bool holds(const std::string& text, const std::string& folded) {
  return catalog::fold_name(text).find(folded) != std::string::npos;
}

CatalogTable search(const std::string& word, const std::vector<Kind>& kinds, const catalog::Catalog& catalog) {
  const std::string folded = catalog::fold_name(word);
  std::vector<CatalogEntry> hits;
  for (const Kind& kind : kinds) {
    for (CatalogEntry& entry : kind.list(catalog)) {
      const bool alias = std::any_of(entry.aliases.begin(), entry.aliases.end(),
                                     [&](const std::string& name) { return holds(name, folded); });
      if (alias || holds(entry.id, folded) || holds(entry.name, folded)) hits.push_back(std::move(entry));
    }
  }
  return table_of("", {"fact.of_kind", "fact.id", "fact.name"}, hits);
}

/// The one entry that bears this name, whatever its kind.
base::Result<CatalogView> anywhere(const std::string& name, const std::vector<Kind>& kinds,
                                   const catalog::Catalog& catalog) {
  for (const Kind& kind : kinds) {
    if (kind.has(catalog, name)) return kind.get(catalog, name);
  }
  if (catalog.accelerators.candidates(name).size() > 1) return kinds.front().get(catalog, name);
  std::vector<std::string> known;
  for (const Kind& kind : kinds) {
    known.push_back(kind.id);
    for (const CatalogEntry& entry : kind.list(catalog)) known.push_back(entry.id);
  }
  return base::input_error({}, "catalog.unknown_name", {name}, base::nearest_hint(name, known));
}

}  // namespace

base::Result<CatalogView> show_catalog(const std::vector<std::string>& words, const catalog::Catalog& catalog) {
  const std::vector<Kind> kinds = all_kinds();
  if (words.empty()) {
    CatalogKinds view;
    for (const Kind& kind : kinds) view.kinds.push_back({kind.id, kind.list(catalog).size()});
    return view;
  }
  if (words.front() == "search") {
    if (words.size() != 2) return base::input_error({}, "catalog.search_word");
    return search(words[1], kinds, catalog);
  }
  const Kind* kind = kind_named(kinds, words.front());
  if (words.size() > 2 || (words.size() == 2 && kind == nullptr)) {
    std::vector<std::string> known;
    for (const Kind& candidate : kinds) known.push_back(candidate.id);
    return base::input_error({}, "catalog.words", {words.front()}, base::nearest_hint(words.front(), known));
  }
  if (kind == nullptr) return anywhere(words.front(), kinds, catalog);
  if (words.size() == 1) return table_of(*kind, catalog);
  TRY(CatalogEntry entry, kind->get(catalog, words[1]));
  return entry;
}

base::Result<CatalogView> check_catalog(const std::string& path, const catalog::Catalog& catalog,
                                        const base::FileSystem& files) {
  TRY(const std::string text, files.read(path));
  return report::CatalogCheck{path, catalog::check_entries(catalog, text, path)};
}

}  // namespace headrace::verbs
