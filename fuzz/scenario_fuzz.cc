// SPDX-License-Identifier: Apache-2.0
#include "fuzz.h"
#include "scenario/read.h"

using namespace headrace;

/// The scenario reader on the shipped catalogue: completed and read; an error stands in the text or names the origin of
/// a default.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto shipped = catalog::load_catalog().value();
  const std::string_view text = fuzz::text_of(data, size);
  auto document = base::read_yaml(text, "f.yaml");
  if (!document) return 0;
  scenario::complete(*document, shipped);
  auto catalog = shipped;
  const auto scenario = scenario::read_scenario(*document, catalog);
  if (scenario) return 0;
  const base::Error& error = scenario.error();
  if (error.where.file.starts_with("origin.")) {
    fuzz::require(error.kind == base::ErrorKind::kInput && !error.what.id.empty(), "an error names its sentence");
  } else {
    fuzz::require_good_error(error, text);
  }
  return 0;
}
