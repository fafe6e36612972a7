// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/language.h"
#include "timeline/trace.h"

namespace headrace::report {

/// A trace as text, and what must be said about it.
struct TraceText {
  std::string json;
  std::vector<base::Message> warnings;
};

/// More spans than viewers in a browser take.
inline constexpr std::size_t kMostSpans = 1000000;

/// A trace in the trace event format that Perfetto and chrome://tracing open: a process for each place, a thread for
/// each of its streams that does anything, memory as counters in GiB; times in µs to the nanosecond. Of more than
/// `most_spans` those that start first; a warning counts the others.
TraceText trace_json(const timeline::Trace& trace, const Language& language, std::size_t most_spans = kMostSpans);

}  // namespace headrace::report
