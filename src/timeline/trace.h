// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace headrace::timeline {

/// What kind of work a span is; a viewer filters and colours by it.
enum class Category : std::uint8_t {
  kForward,
  kBackward,
  kWeightGradient,
  kRecompute,
  kSend,
  kGather,
  kReduce,
  kAllToAll,
  kOptimizer,
  kOffload,
  kHost,
  kOther
};
inline constexpr std::size_t kCategories = 12;

/// What spans are called. An id alone is enough for most: "trace.forward".
struct SpanName {
  base::Message label;
  Category category = Category::kOther;
};

/// One operation from its start to its end; spans of one stream of one place do not overlap.
struct Span {
  std::uint32_t place = 0;   ///< index into Trace::places
  std::uint32_t stream = 0;  ///< index into Trace::streams
  std::uint32_t name = 0;    ///< index into Trace::names
  std::int32_t micro_batch = -1;
  std::int32_t chunk = -1;  ///< of a pipeline rank's layers
  base::Seconds start, end;
};

/// The memory that a place holds from `time` on.
struct MemorySample {
  std::uint32_t place = 0;
  base::Seconds time;
  base::Bytes bytes;
};

/// What happened when and where, for a viewer; whichever simulator ran fills it.
struct Trace {
  base::Message title;
  std::vector<base::Message> places;   ///< what to call each: stage 3 · layers 12–15
  std::vector<base::Message> streams;  ///< of every place: compute, scale-up link, network, host
  std::vector<SpanName> names;
  std::vector<Span> spans;           ///< in any order
  std::vector<MemorySample> memory;  ///< of each place in order of time
};

}  // namespace headrace::timeline
