// SPDX-License-Identifier: Apache-2.0
#include "report/language.h"

#include <fmt/core.h>

#include "base/document_text.h"
#include "base/embedded.h"
#include "base/value.h"

namespace headrace::report {
namespace {

constexpr std::string_view kMessagesFile = "src/report/messages.yaml";

base::Error as_fault(base::Error error) {
  error.kind = base::ErrorKind::kInternal;
  return error;
}

/// Puts arguments in place of {0}, {1}, …; `{{` is not special, a number without an argument stays as it is.
std::string fill(std::string_view sentence, const std::vector<std::string>& arguments) {
  std::string out;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    const bool slot = i + 2 < sentence.size() && sentence[i] == '{' && sentence[i + 1] >= '0' &&
                      sentence[i + 1] <= '9' && sentence[i + 2] == '}';
    const std::size_t index = slot ? std::size_t(sentence[i + 1] - '0') : arguments.size();
    if (index < arguments.size()) {
      out += arguments[index];
      i += 2;
    } else {
      out += sentence[i];
    }
  }
  return out;
}

}  // namespace

base::Result<Language> Language::load(Tongue tongue) {
  auto language = read(base::embedded_text(kMessagesFile), std::string(kMessagesFile), tongue);
  if (!language) return tl::unexpected<base::Error>(as_fault(language.error()));
  return language;
}

base::Result<Language> Language::read(std::string_view yaml, const std::string& file, Tongue tongue) {
  TRY(const base::Value document, base::read_yaml(yaml, file));
  Language language;
  language.tongue_ = tongue;
  for (const auto& member : document.members()) {
    base::Fields fields(member.value);
    TRY(std::string english, fields.text("en"));
    TRY(std::string chinese, fields.text("zh"));
    CHECK_OK(fields.finish());
    language.sentences_[member.key] = tongue == Tongue::kEnglish ? std::move(english) : std::move(chinese);
  }
  return language;
}

std::string Language::say(std::string_view id, const std::vector<std::string>& arguments) const {
  const auto found = sentences_.find(id);
  std::vector<std::string> said;
  for (const std::string& argument : arguments) {
    const auto word = sentences_.find(argument);
    said.push_back(word == sentences_.end() ? argument : word->second);
  }
  if (found != sentences_.end()) return fill(found->second, said);
  std::string out(id);
  for (const std::string& argument : said) out += fmt::format(" [{}]", argument);
  return out;
}

std::string say_error(const base::Error& error, const Language& language) {
  std::string out;
  if (!error.where.file.empty()) {
    out = error.where.file;
    if (error.where.line > 0) out += fmt::format(":{}", error.where.line);
    if (error.where.line > 0 && error.where.column > 0) out += fmt::format(":{}", error.where.column);
    out += ": ";
  }
  out += language.say(error.what);
  if (error.hint) {
    if (language.tongue() == Tongue::kEnglish) out += " ";
    out += language.say(*error.hint);
  }
  return base::printable(out);
}

}  // namespace headrace::report
