// SPDX-License-Identifier: Apache-2.0
#include "app/arguments.h"

#include <algorithm>

#include "base/value.h"

namespace headrace::app {
namespace {

const Flag* find_flag(std::string_view name, const std::vector<Flag>& flags) {
  const auto found = std::find_if(flags.begin(), flags.end(), [&](const Flag& flag) {
    return flag.name == name || (!flag.letter.empty() && flag.letter == name);
  });
  return found == flags.end() ? nullptr : &*found;
}

tl::unexpected<base::Error> unknown_option(const std::string& name, const std::vector<Flag>& flags) {
  std::vector<std::string> known;
  for (const Flag& flag : flags) known.emplace_back(flag.name);
  return base::input_error({}, "arguments.unknown_option", {name}, base::nearest_hint(name, known));
}

base::Result<void> check_integer(const Flag& flag, const std::string& value) {
  const std::string name(flag.name);
  TRY(const std::int64_t number, base::Value::scalar({name, 0, 0}, value, false).integer());
  if (double(number) >= flag.low && double(number) <= flag.high) return {};
  return base::input_error({name, 0, 0}, "arguments.range",
                           {value, std::to_string(std::int64_t(flag.low)), std::to_string(std::int64_t(flag.high))});
}

base::Result<void> check_choice(const Flag& flag, const std::string& value) {
  std::vector<std::string> choices(1);
  for (const char c : flag.choices) {
    if (c == ' ') {
      choices.emplace_back();
    } else {
      choices.back() += c;
    }
  }
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return {};
  return base::input_error({std::string(flag.name), 0, 0}, "arguments.choice", {value},
                           base::nearest_hint(value, choices));
}

base::Result<void> check(const Flag& flag, const std::string& value) {
  if (flag.kind == FlagKind::kInteger) return check_integer(flag, value);
  if (flag.kind == FlagKind::kChoice) return check_choice(flag, value);
  if (value.empty() && flag.kind != FlagKind::kSwitch)
    return base::input_error({}, "arguments.missing_value", {std::string(flag.name), std::string(flag.value)});
  return {};
}

}  // namespace

std::vector<std::string> Arguments::all(std::string_view flag) const {
  std::vector<std::string> values;
  for (const auto& [name, value] : options) {
    if (name == flag) values.push_back(value);
  }
  return values;
}

std::optional<std::string> Arguments::text(std::string_view flag) const {
  const auto values = all(flag);
  return values.empty() ? std::nullopt : std::optional(values.back());
}

std::optional<std::int64_t> Arguments::integer(std::string_view flag) const {
  const auto value = text(flag);
  if (!value) return std::nullopt;
  const auto number = base::Value::scalar({}, *value, false).integer();
  return number ? std::optional(*number) : std::nullopt;
}

base::Result<Arguments> read_arguments(const std::vector<std::string>& words, const std::vector<Flag>& flags) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      arguments.words.insert(arguments.words.end(), words.begin() + std::ptrdiff_t(i) + 1, words.end());
      break;
    }
    if (word.size() < 2 || word[0] != '-') {
      arguments.words.push_back(word);
      continue;
    }
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const std::string name = word.substr(0, equals);
    const Flag* flag = find_flag(name, flags);
    if (!flag) return unknown_option(name, flags);
    std::string value;
    if (flag->kind == FlagKind::kSwitch) {
      if (equals != std::string::npos) return base::input_error({}, "arguments.no_value_wanted", {name});
    } else if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    } else if (++i < words.size()) {
      value = words[i];
    }
    CHECK_OK(check(*flag, value));
    if (!flag->repeats && arguments.has(flag->name) && flag->kind != FlagKind::kSwitch)
      return base::input_error({}, "arguments.twice", {std::string(flag->name)});
    arguments.options.emplace_back(flag->name, value);
  }
  return arguments;
}

}  // namespace headrace::app
