// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include "base/embedded.h"
#include "catalog/read_entries.h"

namespace headrace::catalog {
namespace {

using Problems = std::vector<base::Error>;

// The folders whose files this room reads; models and storage have readers of their own.
constexpr std::array kFolders{"catalog/accelerators/", "catalog/calibration/", "catalog/networks/",
                              "catalog/platforms/",    "catalog/prices/",      "catalog/software/",
                              "catalog/sources.yaml"};

constexpr std::array kKinds{"sources", "networks", "accelerators", "platforms", "prices", "software", "calibration"};

// Calls read(id, value, place of id) for each entry of a kind, in the order of the file.
template <typename Read>
void each_entry(const base::Value& document, const char* kind, Problems& problems, Read read) {
  const base::Value* entries = document.find(kind);
  if (entries == nullptr || entries->is_null()) return;
  if (!entries->is_map()) {
    problems.push_back(base::input_error(entries->place(), "catalog.expected_entries", {kind}).value());
    return;
  }
  for (const base::Value::Member& member : entries->members()) read(member.key, member.value, member.place);
}

// Entries with mistakes are kept as well, so that those which refer to them are not blamed: a catalogue with problems
// is never handed out.
template <typename T, typename Read>
void read_shelf(std::span<const base::Value> documents, const char* kind, Catalog& catalog, Shelf<T>& shelf,
                Problems& problems, Read read) {
  for (const base::Value& document : documents) {
    each_entry(document, kind, problems,
               [&](const std::string& id, const base::Value& value, const base::Place& place) {
                 if (!value.is_map()) {
                   problems.push_back(base::input_error(value.place(), "catalog.expected_part", {id}).value());
                   return;
                 }
                 EntryReader reader(value, problems);
                 T entry = read(reader, id, catalog);
                 reader.finish();
                 if (auto added = shelf.add(std::move(entry), place); !added)
                   problems.push_back(std::move(added.error()));
               });
  }
}

void read_sources(std::span<const base::Value> documents, Catalog& catalog, Problems& problems) {
  for (const base::Value& document : documents) {
    each_entry(document, "sources", problems, [&](const std::string& id, const base::Value& value, const base::Place&) {
      auto url = value.text();
      if (url) {
        catalog.sources[id] = std::move(*url);
      } else {
        problems.push_back(std::move(url.error()));
      }
    });
  }
}

void read_calibration(std::span<const base::Value> documents, Catalog& catalog, Problems& problems) {
  for (const base::Value& document : documents) {
    each_entry(document, "calibration", problems,
               [&](const std::string& key, const base::Value& value, const base::Place& place) {
                 if (!value.is_map()) {
                   problems.push_back(base::input_error(value.place(), "catalog.expected_part", {key}).value());
                   return;
                 }
                 EntryReader reader(value, problems);
                 Constant constant = read_constant(reader);
                 reader.finish();
                 if (catalog.calibration.find(key) != nullptr)
                   problems.push_back(base::input_error(place, "catalog.taken", {key, key}).value());
                 catalog.calibration.set(key, std::move(constant));
               });
  }
}

void check_kinds(const base::Value& document, Problems& problems) {
  if (!document.is_map()) {
    problems.push_back(base::input_error(document.place(), "catalog.expected_kinds").value());
    return;
  }
  const std::vector<std::string> known(kKinds.begin(), kKinds.end());
  for (const base::Value::Member& member : document.members()) {
    if (std::find(known.begin(), known.end(), member.key) == known.end())
      problems.push_back(
          base::input_error(member.place, "catalog.unknown_kind", {member.key}, base::nearest_hint(member.key, known))
              .value());
  }
}

// Kinds in the order in which they refer to one another, each over all documents.
Problems read_documents(std::span<const base::Value> documents, Catalog& catalog) {
  Problems problems;
  for (const base::Value& document : documents) check_kinds(document, problems);
  read_sources(documents, catalog, problems);
  read_shelf(documents, "networks", catalog, catalog.networks, problems, read_network);
  read_shelf(documents, "accelerators", catalog, catalog.accelerators, problems, read_accelerator);
  read_shelf(documents, "platforms", catalog, catalog.platforms, problems, read_platform);
  read_shelf(documents, "prices", catalog, catalog.prices, problems, read_price);
  read_shelf(documents, "software", catalog, catalog.software, problems, read_software);
  read_calibration(documents, catalog, problems);
  return problems;
}

}  // namespace

base::Result<Catalog> load_catalog() {
  std::vector<base::Value> documents;
  for (const char* folder : kFolders) {
    for (const base::EmbeddedFile& file : base::embedded_under(folder)) {
      TRY(base::Value document, base::read_yaml(file.text, std::string(file.path)));
      documents.push_back(std::move(document));
    }
  }
  Catalog catalog;
  Problems problems = read_documents(documents, catalog);
  if (!problems.empty()) return tl::unexpected(std::move(problems.front()));
  return catalog;
}

base::Result<void> add_entries(Catalog& catalog, std::string_view yaml, const std::string& file) {
  TRY(const base::Value document, base::read_yaml(yaml, file));
  Catalog extended = catalog;
  Problems problems = read_documents({&document, 1}, extended);
  if (!problems.empty()) return tl::unexpected(std::move(problems.front()));
  catalog = std::move(extended);
  return {};
}

std::vector<base::Error> check_entries(const Catalog& catalog, std::string_view yaml, const std::string& file) {
  auto document = base::read_yaml(yaml, file);
  if (!document) return {std::move(document.error())};
  Catalog extended = catalog;
  return read_documents({&*document, 1}, extended);
}

}  // namespace headrace::catalog
