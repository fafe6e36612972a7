// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace headrace::base {

/// One node of a YAML or JSON document, with the place where it stands. Scalars keep their text until someone asks for
/// a type.
class Value {
 public:
  enum class Kind { kNull, kScalar, kList, kMap };
  struct Member;

  Value() = default;
  static Value null(Place place);
  /// A scalar; `quoted` when it was written as a string, so that "8" is text and 8 is a number.
  static Value scalar(Place place, std::string text, bool quoted);
  static Value list(Place place, std::vector<Value> items);
  static Value map(Place place, std::vector<Member> members);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is_null() const { return kind_ == Kind::kNull; }
  [[nodiscard]] bool is_scalar() const { return kind_ == Kind::kScalar; }
  [[nodiscard]] bool is_list() const { return kind_ == Kind::kList; }
  [[nodiscard]] bool is_map() const { return kind_ == Kind::kMap; }
  [[nodiscard]] bool quoted() const { return quoted_; }
  [[nodiscard]] const Place& place() const { return place_; }
  /// "null", "text", "number", "true or false", "a list", "a map": as a message id for errors, e.g. "kind.list".
  [[nodiscard]] std::string kind_id() const;

  // Typed readings; each error says what was found, what was expected, and where. Sizes, counts: see `Range`.
  [[nodiscard]] Result<std::string> text() const;
  [[nodiscard]] Result<bool> boolean() const;          ///< true or false only; `yes`, `no`, `on`, `off` are errors
  [[nodiscard]] Result<std::int64_t> integer() const;  ///< decimal; 1e9 is one, 010 and 0x10 are errors
  [[nodiscard]] Result<double> number() const;         ///< finite
  [[nodiscard]] const std::string& raw() const { return text_; }

  [[nodiscard]] const std::vector<Value>& items() const { return items_; }
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  /// The member of a map by key, or nullptr.
  [[nodiscard]] const Value* find(std::string_view key) const;
  /// Put a member in a map, over an old one of the same key.
  void set(std::string key, Value value);

 private:
  Kind kind_ = Kind::kNull;
  bool quoted_ = false;
  Place place_;
  std::string text_;
  std::vector<Value> items_;
  std::vector<Member> members_;
};

struct Value::Member {
  std::string key;
  Place place;  ///< of the key
  Value value;
};

/// What a document reader accepts: more is an error with a place. Each value takes about 200 bytes of memory.
struct ReadLimits {
  std::size_t bytes = std::size_t{64} << 20;
  std::size_t values = 1'000'000;
  int depth = 100;
};

/// YAML is written by hand, and its parser may hold a whole line of a file in a hundred times its size.
inline constexpr ReadLimits kYamlLimits{.bytes = std::size_t{4} << 20};

/// Reads one YAML document (1.2 core: no anchors, aliases, tags, or several documents). Duplicate keys are errors.
Result<Value> read_yaml(std::string_view text, const std::string& file, const ReadLimits& limits = kYamlLimits);

/// Reads one JSON document (RFC 8259; NaN and Infinity accepted as numbers outside the range, as Python writes them).
/// Duplicate keys are errors.
Result<Value> read_json(std::string_view text, const std::string& file, const ReadLimits& limits = {});

/// Inclusive bounds of a number.
template <typename T>
struct Range {
  T low;
  T high;
};

/// Reads the members of a map by name, remembers which were read, and calls the rest unknown: the nearest known name is
/// offered.
class Fields {
 public:
  /// `value` must outlive the Fields. A value that is no map gives errors from every reading.
  explicit Fields(const Value& value);

  /// The member, which must be there.
  [[nodiscard]] Result<const Value*> required(const std::string& key);
  /// The member or nullptr; a null member counts as absent.
  [[nodiscard]] const Value* optional(const std::string& key);

  [[nodiscard]] Result<std::string> text(const std::string& key);
  [[nodiscard]] Result<std::string> text_or(const std::string& key, std::string otherwise);
  [[nodiscard]] Result<bool> boolean_or(const std::string& key, bool otherwise);
  [[nodiscard]] Result<std::int64_t> integer(const std::string& key, Range<std::int64_t> range);
  [[nodiscard]] Result<std::int64_t> integer_or(const std::string& key, std::int64_t otherwise,
                                                Range<std::int64_t> range);
  [[nodiscard]] Result<std::optional<std::int64_t>> maybe_integer(const std::string& key, Range<std::int64_t> range);
  [[nodiscard]] Result<double> number(const std::string& key, Range<double> range);
  [[nodiscard]] Result<double> number_or(const std::string& key, double otherwise, Range<double> range);
  [[nodiscard]] Result<std::optional<double>> maybe_number(const std::string& key, Range<double> range);
  /// A text or list of texts; empty when absent.
  [[nodiscard]] Result<std::vector<std::string>> texts(const std::string& key);

  /// An error for the first member that nothing asked for.
  [[nodiscard]] Result<void> finish() const;
  [[nodiscard]] const Place& place() const;

 private:
  const Value* value_;
  std::set<std::string> asked_;
};

/// The up to `count` names nearest to `name` (edit distance with case, `-`, `_`, ` ` and `.` folded), nearest first.
std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& known,
                                       std::size_t count = 3);

/// A hint listing nearest names ("hint.nearest") that the name may be a slip of; where there are none, all of them if
/// few
/// ("hint.known"), else none.
std::optional<Message> nearest_hint(std::string_view name, const std::vector<std::string>& known);

}  // namespace headrace::base
