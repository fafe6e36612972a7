// SPDX-License-Identifier: Apache-2.0
#include "report/trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "base/json_writer.h"
#include "report/figures.h"

namespace headrace::report {
namespace {

using base::JsonWriter;
using timeline::Span;
using timeline::Trace;

constexpr std::array<const char*, timeline::kCategories> kCategoryNames{
    "forward", "backward",   "weight_gradient", "recompute", "send", "gather",
    "reduce",  "all_to_all", "optimizer",       "offload",   "host", "other"};

// Viewers take thread numbers for the whole trace, and one like its process's for the main thread.
constexpr std::int64_t kThreadsOfAProcess = 100;
std::int64_t process_of(std::uint32_t place) { return std::int64_t{place} + 1; }
std::int64_t thread_of(std::uint32_t place, std::uint32_t stream) {
  return process_of(place) * kThreadsOfAProcess + stream + 1;
}

double nanoseconds(base::Seconds time) { return std::round(time.value() * 1e9); }

class TraceWriter {
 public:
  TraceWriter(const Trace& trace, const Language& language) : trace_(trace), language_(language) {
    for (const timeline::SpanName& name : trace.names) names_.push_back(language.say(name.label));
  }

  std::string operator()(const std::vector<Span>& spans) {
    json_.begin_object().member("displayTimeUnit", "ms");
    json_.key("otherData").begin_object().member("title", language_.say(trace_.title)).end_object();
    json_.key("traceEvents").begin_array();
    write_tracks(spans);
    for (const Span& span : spans) write_span(span);
    for (const timeline::MemorySample& sample : trace_.memory) write_memory(sample);
    json_.end_array().end_object();
    return json_.take();
  }

 private:
  /// Names and order of places, and of those of their streams that do anything.
  void write_tracks(const std::vector<Span>& spans) {
    for (std::uint32_t place = 0; place < trace_.places.size(); ++place) {
      write_about(place, "process_name").member("name", language_.say(trace_.places[place])).end_object().end_object();
      write_about(place, "process_sort_index").member("sort_index", std::int64_t{place}).end_object().end_object();
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> used;
    for (const Span& span : spans) used.emplace(span.place, span.stream);
    for (const auto& [place, stream] : used) {
      const auto thread = thread_of(place, stream);
      write_about(place, "thread_name", thread).member("name", language_.say(trace_.streams[stream]));
      json_.end_object().end_object();
      write_about(place, "thread_sort_index", thread).member("sort_index", std::int64_t{stream});
      json_.end_object().end_object();
    }
  }

  /// Leaves the event and its arguments open.
  JsonWriter& write_about(std::uint32_t place, const char* what, std::int64_t thread = 0) {
    json_.begin_line().member("ph", "M").member("pid", process_of(place));
    if (thread > 0) json_.member("tid", thread);
    return json_.member("name", what).key("args").begin_object();
  }

  void write_span(const Span& span) {
    const double start = nanoseconds(span.start), end = nanoseconds(span.end);
    std::string name = names_[span.name];
    // Perfetto's colours do not look at numbers, so all micro-batches of a kind look alike.
    if (span.micro_batch >= 0) name += " " + std::to_string(span.micro_batch);
    json_.begin_line().member("ph", "X").member("pid", process_of(span.place));
    json_.member("tid", thread_of(span.place, span.stream))
        .member("ts", start / 1000)
        .member("dur", (end - start) / 1000);
    json_.member("name", name);
    json_.member("cat", kCategoryNames[std::size_t(trace_.names[span.name].category)]);
    if (span.micro_batch >= 0 || span.chunk >= 0) {
      json_.key("args").begin_object();
      if (span.micro_batch >= 0) json_.member("micro_batch", std::int64_t{span.micro_batch});
      if (span.chunk >= 0) json_.member("chunk", std::int64_t{span.chunk});
      json_.end_object();
    }
    json_.end_object();
  }

  void write_memory(const timeline::MemorySample& sample) {
    json_.begin_line().member("ph", "C").member("pid", process_of(sample.place));
    json_.member("ts", nanoseconds(sample.time) / 1000).member("name", language_.say("trace.memory"));
    json_.key("args").begin_object();
    json_.member("GiB", std::round(base::in_gibibytes(sample.bytes) * 1e3) / 1e3).end_object().end_object();
  }

  const Trace& trace_;
  const Language& language_;
  std::vector<std::string> names_;
  JsonWriter json_;
};

}  // namespace

TraceText trace_json(const Trace& trace, const Language& language, std::size_t most_spans) {
  std::vector<Span> spans = trace.spans;
  std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.start < b.start; });
  TraceText text;
  if (spans.size() > most_spans) {
    text.warnings.push_back(
        {"trace.cut", {grouped(std::int64_t(spans.size() - most_spans)), grouped(std::int64_t(spans.size()))}});
    spans.resize(most_spans);
  }
  text.json = TraceWriter(trace, language)(spans);
  return text;
}

}  // namespace headrace::report
