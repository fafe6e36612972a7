// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/result.h"

namespace headrace::fuzz {

/// A broken invariant, as a crash that the fuzzer reports with its input.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

/// An error names a sentence and a place in the text that was read; a fault of ours is never the answer to bad input.
inline void require_good_error(const base::Error& error, std::string_view text) {
  require(error.kind == base::ErrorKind::kInput, "an input error is one");
  require(!error.what.id.empty(), "an error names its sentence");
  require(!error.where.file.empty(), "an error names its file");
  require(error.where.line >= 1 && error.where.column >= 1, "an error has a line and a column");
  std::size_t lines = 1;
  for (const char c : text) lines += c == '\n' ? 1 : 0;
  require(static_cast<std::size_t>(error.where.line) <= lines, "an error lies within the text");
}

template <typename T>
void require_good(const base::Result<T>& result, std::string_view text) {
  if (!result) require_good_error(result.error(), text);
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace headrace::fuzz
