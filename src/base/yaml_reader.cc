// SPDX-License-Identifier: Apache-2.0
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>

#include "base/document_text.h"

namespace headrace::base {
namespace {

// Leaves the parser from within an event; caught in read_yaml.
struct Stop {
  Error error;
};

[[noreturn]] void stop(Place place, std::string id, std::vector<std::string> arguments = {}) {
  throw Stop{input_error(std::move(place), std::move(id), std::move(arguments)).value()};
}

// Builds a Value from the parser's events.
class Builder : public YAML::EventHandler {
 public:
  Builder(const std::string& file, const Place& end, const ReadLimits& limits)
      : file_(file), end_(end), limits_(limits) {}

  // What the parser complains about beyond the text, stands at its end.
  [[nodiscard]] Place place(const YAML::Mark& mark) const {
    const bool outside = mark.line < 0 || mark.line >= end_.line;
    return outside ? end_ : Place{file_, mark.line + 1, mark.column + 1};
  }

  [[nodiscard]] Value take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) stop(place(mark), "yaml.several_documents");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    // For an empty value the parser gives the place of whatever comes next.
    Place where = place(mark);
    const bool has_key = !open_.empty() && open_.back().has_key;
    if (has_key && open_.back().members.back().place.line < where.line) where = open_.back().members.back().place;
    add(Value::null(std::move(where)));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { stop(place(mark), "yaml.alias"); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    refuse_bytes(mark, value);
    add(Value::scalar(place(mark), value, tag == "!"));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, true);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, false);
  }
  void OnSequenceEnd() override {
    Open done = close();
    add(Value::list(std::move(done.place), std::move(done.items)));
  }
  void OnMapEnd() override {
    Open done = close();
    if (const auto unique = check_unique_keys(done.members); !unique) throw Stop{unique.error()};
    add(Value::map(std::move(done.place), std::move(done.members)));
  }

 private:
  // A list or map whose end has not come yet; a map with a key awaits that key's value.
  struct Open {
    bool is_list = false;
    bool has_key = false;
    Place place;
    std::vector<Value> items;
    std::vector<Value::Member> members;
  };

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) const {
    if (anchor != 0) stop(place(mark), "yaml.anchor");
  }
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!") stop(place(mark), "yaml.tag", {shown(tag)});
  }

  // Escapes such as "\0" and the parser's "\N" make bytes that are no text, and "\e" would steer the terminal that a
  // name is printed on.
  void refuse_bytes(const YAML::Mark& mark, std::string_view text) const {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t length = utf8_length(text.substr(at));
      if (length == 0 || text[at] == '\0') stop(place(mark), "yaml.bad_escape");
      if (steers_terminal(text.substr(at)))
        stop(place(mark), "base.control_character",
             {std::to_string(static_cast<unsigned char>(text[at + length - 1]))});
      at += length;
    }
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, bool is_list) {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (static_cast<int>(open_.size()) >= limits_.depth)
      stop(place(mark), "base.too_deep", {std::to_string(limits_.depth)});
    if (awaits_key()) stop(place(mark), "yaml.key");
    open_.push_back({is_list, false, place(mark), {}, {}});
  }

  Open close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    return done;
  }

  [[nodiscard]] bool awaits_key() const { return !open_.empty() && !open_.back().is_list && !open_.back().has_key; }

  void add(Value value) {
    if (++values_ > limits_.values) stop(value.place(), "base.too_many", {std::to_string(limits_.values)});
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().is_list) {
      open_.back().items.push_back(std::move(value));
    } else if (open_.back().has_key) {
      open_.back().members.back().value = std::move(value);
      open_.back().has_key = false;
    } else {
      if (!value.is_scalar()) stop(value.place(), "yaml.key");
      open_.back().members.push_back({value.raw(), value.place(), {}});
      open_.back().has_key = true;
    }
  }

  const std::string& file_;
  const Place& end_;
  ReadLimits limits_;
  std::size_t values_ = 0;
  int documents_ = 0;
  Value root_;
  std::vector<Open> open_;
};

}  // namespace

Result<Value> read_yaml(std::string_view text, const std::string& file, const ReadLimits& limits) {
  CHECK_OK(check_text(text, file, limits.bytes));
  const std::string_view body = without_bom(text);
  const Place end = place_at(body, body.size(), file);
  Builder builder(file, end, limits);
  try {
    // The end-of-document mark makes the parser notice a quote that the end of the text leaves open.
    std::istringstream stream{std::string(body) + (body.ends_with('\n') ? "...\n" : "\n...\n")};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return Value::null({file, 1, 1});
    while (parser.HandleNextDocument(builder)) {
    }
    return builder.take();
  } catch (const Stop& stopped) {
    return tl::unexpected(stopped.error);
  } catch (const YAML::Exception& exception) {
    const Place place = builder.place(exception.mark);
    if (exception.msg == YAML::ErrorMsg::DOC_IN_SCALAR) return input_error(place, "yaml.open_quote");
    return input_error(place, "yaml.syntax", {exception.msg});
  }
}

}  // namespace headrace::base
