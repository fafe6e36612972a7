// SPDX-License-Identifier: Apache-2.0
#include "fuzz.h"
#include "scenario/edit.h"

using namespace headrace;

/// `--set path.to.key=value`, one a line, on one document: each edit is made or is an error that names the option.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text = fuzz::text_of(data, size);
  base::Value document;
  while (!text.empty()) {
    const std::string assignment(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.size(), assignment.size() + 1));
    const auto edited = scenario::edit_set(document, assignment);
    if (!edited) {
      fuzz::require(edited.error().kind == base::ErrorKind::kInput, "an input error is one");
      fuzz::require(edited.error().where.file.starts_with("--set"), "an error names the option");
    }
    fuzz::require(document.is_null() || document.is_map(), "a document stays a map");
  }
  return 0;
}
