// SPDX-License-Identifier: Apache-2.0
#include "report/trace.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "base/value.h"

namespace headrace::report {
namespace {

using base::Seconds;
using timeline::Category;

/// Two stages: 0 computes from 0 to 1 ms and sends until 1.25 ms; 1 computes from there to 3.25 ms. One compute span
/// comes late in the list, though it is the first.
timeline::Trace two_stages() {
  timeline::Trace trace;
  trace.title = {"trace.step", {}};
  trace.places = {{"trace.stage", {"0", "0–3"}}, {"trace.stage", {"1", "4–7"}}};
  trace.streams = {{"trace.stream.compute", {}}, {"trace.stream.send_down", {}}};
  trace.names = {{{"trace.forward", {}}, Category::kForward}, {{"trace.send", {}}, Category::kSend}};
  trace.spans = {{0, 1, 1, 0, 0, Seconds(1e-3), Seconds(1.25e-3)},
                 {1, 0, 0, 0, -1, Seconds(1.25e-3), Seconds(3.25e-3)},
                 {0, 0, 0, 0, 0, Seconds(0), Seconds(1e-3)}};
  trace.memory = {{0, Seconds(0), base::gibibytes(1.5)}, {0, Seconds(1e-3), base::gibibytes(2)}};
  return trace;
}

Language english() { return *Language::load(Tongue::kEnglish); }

std::vector<base::Value> events_of(const TraceText& text) {
  const auto document = base::read_json(text.json, "t.json");
  EXPECT_TRUE(document);
  return document->find("traceEvents")->items();
}

std::string raw(const base::Value& event, const char* key) {
  const base::Value* value = event.find(key);
  return value ? value->raw() : "";
}

TEST(Trace, WritesOneLineForEachEvent) {
  const std::string json = trace_json(two_stages(), english()).json;
  EXPECT_NE(json.find(R"(    {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "stage 0 · layers 0–3"}},
    {"ph": "M", "pid": 1, "name": "process_sort_index", "args": {"sort_index": 0}},
)"),
            std::string::npos);
  EXPECT_NE(json.find(R"(    {"ph": "M", "pid": 1, "tid": 102, "name": "thread_name", "args": {"name": "send down"}},
)"),
            std::string::npos);
  EXPECT_NE(
      json.find(
          R"(    {"ph": "X", "pid": 1, "tid": 101, "ts": 0, "dur": 1000, "name": "forward 0", "cat": "forward", "args": {"micro_batch": 0, "chunk": 0}},
    {"ph": "X", "pid": 1, "tid": 102, "ts": 1000, "dur": 250, "name": "send 0", "cat": "send", "args": {"micro_batch": 0, "chunk": 0}},
    {"ph": "X", "pid": 2, "tid": 201, "ts": 1250, "dur": 2000, "name": "forward 0", "cat": "forward", "args": {"micro_batch": 0}},
    {"ph": "C", "pid": 1, "ts": 0, "name": "memory", "args": {"GiB": 1.5}},
)"),
      std::string::npos);
}

TEST(Trace, EveryTrackIsNamedOnceAndNothingElseIs) {
  std::map<std::string, int> processes, threads;
  std::set<std::string> used;
  for (const base::Value& event : events_of(trace_json(two_stages(), english()))) {
    if (raw(event, "name") == "process_name") ++processes[raw(event, "pid")];
    if (raw(event, "name") == "thread_name") ++threads[raw(event, "tid")];
    if (raw(event, "ph") == "X") used.insert(raw(event, "tid"));
  }
  EXPECT_EQ(processes, (std::map<std::string, int>{{"1", 1}, {"2", 1}}));
  EXPECT_EQ(threads.size(), used.size());
  for (const auto& [thread, times] : threads) {
    EXPECT_EQ(times, 1);
    EXPECT_TRUE(used.contains(thread) && !processes.contains(thread)) << thread;
  }
}

TEST(Trace, KeepsNanosecondsAndLetsNoSpansOverlap) {
  timeline::Trace trace = two_stages();
  trace.spans = {{0, 0, 0, -1, -1, Seconds(1.0 / 3), Seconds(2.0 / 3)},
                 {0, 0, 0, -1, -1, Seconds(2.0 / 3), Seconds(1)}};
  double end = 0;
  for (const base::Value& event : events_of(trace_json(trace, english()))) {
    if (raw(event, "ph") != "X") continue;
    EXPECT_FALSE(event.find("args"));
    const double start = std::stod(raw(event, "ts")), duration = std::stod(raw(event, "dur"));
    EXPECT_LE(raw(event, "ts").size(), std::string("333333.333").size());
    EXPECT_GE(start, end - 1e-6);
    end = start + duration;
  }
  EXPECT_NEAR(end, 1e6, 1e-6);
}

TEST(Trace, SpeaksChinese) {
  const std::string json = trace_json(two_stages(), *Language::load(Tongue::kChinese)).json;
  EXPECT_NE(json.find("\"name\": \"前向 0\", \"cat\": \"forward\""), std::string::npos);
  EXPECT_NE(json.find("第 1 级 · 层 4–7"), std::string::npos);
}

TEST(Trace, CutsWhatViewersCannotShowAndCountsIt) {
  const TraceText text = trace_json(two_stages(), english(), 2);
  ASSERT_EQ(text.warnings.size(), 1u);
  EXPECT_EQ(text.warnings[0], (base::Message{"trace.cut", {"1", "3"}}));
  EXPECT_EQ(text.json.find("\"pid\": 2, \"tid\""), std::string::npos);  // its only span starts last
  EXPECT_TRUE(trace_json(two_stages(), english(), 3).warnings.empty());
}

}  // namespace
}  // namespace headrace::report
