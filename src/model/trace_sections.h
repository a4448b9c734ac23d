// SPDX-License-Identifier: Apache-2.0
// What watched threads wrote to the trace marker: sections, counters and instants, as they came.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <stillframe/enum_table.h>

namespace stillframe::model {

// Part of the dump format: never renumber.
enum class TraceEventKind : uint8_t {
  kUnknown = 0,
  kBegin = 1,  // of a section, which the thread's next end without a beginning of its own ends
  kEnd = 2,
  kAsyncBegin = 3,  // value: what its end has as well
  kAsyncEnd = 4,
  kCounter = 5,  // value: of the counter
  kInstant = 6,
};

struct TraceEvent {
  uint64_t at_ns = 0;  // CLOCK_MONOTONIC
  TraceEventKind kind = TraceEventKind::kUnknown;
  int64_t value = 0;
  std::string name;
  std::string track;  // of asynchronous ones and instants that have one; "" otherwise
};

struct LooperSections {
  uint32_t looper = 0;             // an index in Dump::loopers
  uint64_t lost = 0;               // events before the first, and such as could not be kept
  std::vector<TraceEvent> events;  // oldest first
};

struct TraceSections {
  std::string absent;  // why nothing is captured; "" when it is
  std::vector<LooperSections> loopers;
};

}  // namespace stillframe::model

namespace stillframe {

template <>
inline constexpr EnumTable<model::TraceEventKind, 7> kTableOf<model::TraceEventKind> = {
    model::TraceEventKind::kUnknown,
    {{"unknown"}, {"begin"}, {"end"}, {"async-begin"}, {"async-end"}, {"counter"}, {"instant"}}};

}  // namespace stillframe
