// SPDX-License-Identifier: Apache-2.0
#include "catalog/read_entries.h"

namespace headrace::catalog {

Price read_price(EntryReader& reader, const std::string& id, const Catalog& catalog) {
  Price out;
  reader.entry(out, id, catalog.sources);
  if (reader.member("price") == nullptr) reader.problem("price", "base.missing_key", {"price"});
  out.price = reader.number("price", {1e-9, 1e12}).value_or(0);
  out.unit = reader.text("unit");
  out.date = reader.optional_text("date");
  out.region = reader.optional_text("region");
  return out;
}

}  // namespace headrace::catalog
