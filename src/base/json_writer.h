// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headrace::base {

/// Writes JSON front to back with two-space indentation; the same values give the same bytes everywhere. Numbers are
/// written with the fewest digits that read back the same; non-finite ones as null.
class JsonWriter {
 public:
  JsonWriter& begin_object();
  /// An object that stands on one line with all that is in it: for long lists of small ones.
  JsonWriter& begin_line();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);
  JsonWriter& text(std::string_view value);
  JsonWriter& number(double value);
  JsonWriter& integer(std::int64_t value);
  JsonWriter& boolean(bool value);
  JsonWriter& null();

  // key + value in one call.
  JsonWriter& member(std::string_view name, std::string_view value) { return key(name).text(value); }
  JsonWriter& member(std::string_view name, const char* value) { return key(name).text(value); }
  JsonWriter& member(std::string_view name, double value) { return key(name).number(value); }
  JsonWriter& member(std::string_view name, std::int64_t value) { return key(name).integer(value); }
  JsonWriter& member(std::string_view name, int value) { return key(name).integer(value); }
  JsonWriter& member(std::string_view name, bool value) { return key(name).boolean(value); }

  /// The finished text, with a line feed at its end.
  [[nodiscard]] std::string take();

 private:
  JsonWriter& open(char bracket, bool line);
  JsonWriter& close(char bracket);
  void separate();
  void newline();

  struct Level {
    bool empty = true;
    bool line = false;  ///< all on one line
  };
  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace headrace::base
