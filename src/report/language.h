// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace headrace::report {

enum class Tongue { kEnglish, kChinese };

/// Every sentence the product says, by id, in one tongue: `src/report/messages.yaml` as it was built in.
class Language {
 public:
  /// The built-in catalogue; a malformed one is an internal error.
  static base::Result<Language> load(Tongue tongue);
  /// From the text of a catalogue: a map from id to {en, zh}, sorted by id; both must be there.
  static base::Result<Language> read(std::string_view yaml, const std::string& file, Tongue tongue);

  /// The sentence with {0}, {1}, … filled in. An argument that is itself an id (e.g. "kind.list") is said in this
  /// tongue; an unknown id is shown as it is.
  [[nodiscard]] std::string say(const base::Message& message) const { return say(message.id, message.arguments); }
  [[nodiscard]] std::string say(std::string_view id, const std::vector<std::string>& arguments = {}) const;

  [[nodiscard]] Tongue tongue() const { return tongue_; }
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& sentences() const { return sentences_; }

 private:
  Tongue tongue_ = Tongue::kEnglish;
  std::map<std::string, std::string, std::less<>> sentences_;
};

/// `file:line:column: what. hint` as the terminal shows an error.
std::string say_error(const base::Error& error, const Language& language);

}  // namespace headrace::report
