// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace headrace::base {

/// A data file of the repository (`catalog/…`, `scenarios/…`, `evidence/…`, `src/report/messages.yaml`) as it was when
/// the program was built.
struct EmbeddedFile {
  std::string_view path;  ///< from the top of the repository
  std::string_view text;
};

/// All of them, sorted by path.
std::span<const EmbeddedFile> embedded_files();

/// Those whose path starts with `prefix`.
std::span<const EmbeddedFile> embedded_under(std::string_view prefix);

/// The text of one file; empty when there is none.
std::string_view embedded_text(std::string_view path);

}  // namespace headrace::base
