// SPDX-License-Identifier: Apache-2.0
// Trace marker events of watched threads: sections, counters and instants, unchanged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <stillframe/enum_table.h>

namespace stillframe::model {

// Part of the dump format: never renumber.
enum class TraceEventKind : uint8_t {
  kUnknown = 0,
  kBegin = 1,  // of a section; closed by the matching kEnd
  kEnd = 2,
  kAsyncBegin = 3,  // value: shared with its end
  kAsyncEnd = 4,
  kCounter = 5,  // value: of the counter
  kInstant = 6,
};

struct TraceEvent {
  uint64_t at_ns = 0;  // CLOCK_MONOTONIC
  TraceEventKind kind = TraceEventKind::kUnknown;
  int64_t value = 0;
  std::string name;
  std::string track;  // of asynchronous ones and instants; "": none
};

struct LooperSections {
  uint32_t looper = 0;             // index in Dump::loopers
  uint64_t lost = 0;               // events before the first, or not kept
  std::vector<TraceEvent> events;  // oldest first
};

struct TraceSections {
  std::string absent;  // why nothing is captured; "": it is
  std::vector<LooperSections> loopers;
};

}  // namespace stillframe::model

namespace stillframe {

template <>
inline constexpr EnumTable<model::TraceEventKind, 7> kTableOf<model::TraceEventKind> = {
    model::TraceEventKind::kUnknown,
    {{"unknown"}, {"begin"}, {"end"}, {"async-begin"}, {"async-end"}, {"counter"}, {"instant"}}};

}  // namespace stillframe
