// SPDX-License-Identifier: Apache-2.0
#include <simdjson.h>

#include <set>

#include "document.h"
#include "fuzz.h"

using namespace headrace;

namespace {

// Where we mean to differ from RFC 8259 as simdjson reads it: Python's words, numbers beyond its ranges, depth, and
// what no text should hold.
const std::set<std::string> kStricter = {"base.duplicate_key", "base.control_character", "base.too_deep",
                                         "json.bad_escape"};

bool python_words(std::string_view text) { return text.find("NaN") != text.npos || text.find("Infinity") != text.npos; }

}  // namespace

/// read_json: places, typed readings, the same document again when written, and simdjson as a referee.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const auto read = base::read_json(text, "f.json");
  fuzz::require_good(read, text);
  if (read) {
    fuzz::read_all_types(*read);
    const auto again = base::read_json(fuzz::as_json(*read), "again.json");
    fuzz::require(again && fuzz::same(*read, *again), "JSON of a document reads back");
  }
  simdjson::dom::parser parser;
  const auto referee = parser.parse(simdjson::padded_string(text)).error();
  if (referee == simdjson::SUCCESS) {
    fuzz::require(read || kStricter.contains(read.error().what.id), "what the referee reads, we read");
  } else if (read && !python_words(text) && !text.starts_with("\xEF\xBB\xBF")) {
    fuzz::require(referee == simdjson::NUMBER_ERROR, "what the referee refuses, we refuse");
  }
  return 0;
}
