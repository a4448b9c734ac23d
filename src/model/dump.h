// SPDX-License-Identifier: Apache-2.0
// Content of a dump except its trees: filled by the device, written by the writer, returned by the
// reader.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/model/history.h"
#include "src/model/message.h"
#include "src/model/other_thread.h"
#include "src/model/process.h"
#include "src/model/thread_stacks.h"
#include "src/model/trace_sections.h"
#include "src/model/values.h"

namespace stillframe::model {

// Why and when a dump was written. Writer::Amend may replace it later.
struct Occasion {
  Trigger trigger = Trigger::kUnknown;
  uint32_t sequence = 0;  // dumps of this process before this one
  uint64_t taken_monotonic_ns = 0;
  uint64_t taken_realtime_ns = 0;  // Unix time
  std::string trigger_detail;      // the limit, the signal, or the time without an answer
  std::string trigger_confirmed;   // what made it an ANR rather than just a SIGQUIT; "": nothing
  // Texts of the system, unchanged; "": none.
  std::string system_reason;     // "Input dispatching timed out (...)"
  std::string system_component;  // of the activity, "com.example/.MainActivity"
};

struct Dump : Occasion {
  Identity identity;
  std::vector<NamedText> configuration;
  // Settings of the process, for calculations; 0: unknown.
  uint64_t slow_ns = 0;      // a message this long is slow
  uint64_t interval_ns = 0;  // between samples
  std::vector<NamedCount> counters;
  std::vector<Message> history;  // slow messages, oldest first
  uint64_t history_lost = 0;     // older ones that were dropped
  std::optional<Message> running;
  std::string pending_source;  // how the queue was read; "": not read, see pending_absent
  std::string pending_absent;  // why it was not read
  std::vector<PendingMessage> pending;
  uint64_t pending_total = 0;         // messages in the queue; 0: unknown
  bool pending_is_truncated = false;  // there may be more than pending_total
  std::vector<Looper> loopers;        // the main one first; may be empty
  std::vector<HistoryGroup> groups;   // of all Loopers, oldest first
  uint64_t groups_lost = 0;
  std::vector<HistoryRecord> records;  // of all Loopers, oldest first
  uint64_t records_lost = 0;
  std::optional<Jank> jank;
  std::vector<ContextEntry> context;
  std::optional<ThreadTable> threads;
  std::optional<ThreadStacks> thread_stacks;
  std::vector<OtherThread> other_threads;  // oldest message first
  std::vector<Module> modules;             // if native frames were requested
  std::optional<TraceSections> sections;   // if requested
  Annotations annotations;
  std::optional<SignalCatcherText> signal_catcher;
};

}  // namespace stillframe::model
