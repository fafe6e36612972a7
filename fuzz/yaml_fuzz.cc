// SPDX-License-Identifier: Apache-2.0
#include "document.h"
#include "fuzz.h"

using namespace headrace;

/// read_yaml: places, typed readings, and the same document again when written as JSON, which is YAML too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const auto read = base::read_yaml(text, "f.yaml");
  fuzz::require_good(read, text);
  if (!read) return 0;
  fuzz::read_all_types(*read);
  const std::string json = fuzz::as_json(*read);
  const auto as_json = base::read_json(json, "f.json");
  fuzz::require(as_json && fuzz::same(*read, *as_json), "JSON of a document reads back");
  return 0;
}
