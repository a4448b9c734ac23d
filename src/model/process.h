// SPDX-License-Identifier: Apache-2.0
// Facts about the process, the device, and the profiler itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/model/values.h"

namespace stillframe::model {

struct Identity {
  std::string process_name;
  uint32_t pid = 0;
  uint32_t uid = 0;
  std::string abi;                // "x86_64"
  std::string art_release;        // "11", as in the layout table
  std::string art_build_id;       // hex of libart's .note.gnu.build-id
  std::string profiler_version;   // "0.1.0"
  std::string sampler_state;      // "on", or why it is off
  std::string tap;                // "observer", "printer", "probe", "none"
  uint64_t process_start_ns = 0;  // CLOCK_MONOTONIC when the profiler was loaded
};

struct NamedText {
  std::string name;
  std::string value;
};

struct NamedCount {
  std::string name;  // unit as suffix: "handler_time_ns", "ring_bytes", "drops_ring_full"
  uint64_t value = 0;
};

// A fact about device or process. Groups: "device", "process", "cpu", "memory", "io", "gc". The
// name ends with the unit, like a counter's: _ns, _ms, _bytes, _permille, _milli. The verdict reads
// those in src/model/context_names.h.
struct ContextEntry {
  enum class State : uint8_t { kAbsent = 0, kText = 1, kNumber = 2 };

  std::string group;
  std::string name;
  State state = State::kAbsent;
  std::string text;  // or why it is absent
  int64_t number = 0;
};

struct ThreadRow {
  uint32_t tid = 0;
  std::string name;
  char state = '?';                // as in /proc/PID/stat
  int64_t user_ms = kTimeUnknown;  // within the interval, like the times below
  int64_t system_ms = kTimeUnknown;
  uint64_t interval_ms = 0;  // 0: since the thread began
  int32_t nice = 0;
  int64_t runqueue_wait_ms = kTimeUnknown;
};

struct ThreadTable {
  std::string absent;           // why rows are missing; "": present
  uint32_t threads = 0;         // of the process; there may be fewer rows
  std::vector<ThreadRow> rows;  // busiest first
};

// Annotations by the application, through the C API.
struct Annotation {
  std::string name;
  std::string value;
  uint64_t set_ns = 0;
};

struct Annotations {
  std::string scene;  // such as the visible activity
  uint64_t scene_since_ns = 0;
  std::vector<Annotation> entries;
};

// The Signal Catcher's report: stacks of all threads, owners of locks.
struct SignalCatcherText {
  std::string source;       // how it was captured; "": it was not
  std::string absent;       // why it was not captured
  uint64_t full_bytes = 0;  // before it was shortened
  std::string text;
};

}  // namespace stillframe::model

namespace stillframe {

template <>
inline constexpr EnumTable<model::ContextEntry::State, 3> kTableOf<model::ContextEntry::State> = {
    model::ContextEntry::State::kAbsent, {{"absent", ""}, {"text", ""}, {"number", ""}}};

}  // namespace stillframe
