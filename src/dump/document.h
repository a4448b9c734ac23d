// A dump in memory: what the reader returns and the host tools render.
// Context: any thread
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/trace/frame_table.h"
#include "src/trace/trace_tree.h"

namespace stillframe::dump {

// Why the dump was written. Values are part of the dump format.
enum class Trigger : uint8_t { kUnknown = 0, kSigquit = 1, kApi = 2, kExit = 3 };

struct Identity {
  std::string process_name;
  uint32_t pid = 0;
  uint32_t uid = 0;
  std::string abi;                // "x86_64"
  std::string art_release;        // "11", as the layout table calls it
  std::string art_build_id;       // hex of libart's .note.gnu.build-id
  std::string profiler_version;   // "0.1.0"
  std::string sampler_state;      // "on", or why it is off
  std::string tap;                // "observer", "printer", "none"
  uint64_t process_start_ns = 0;  // CLOCK_MONOTONIC at which the profiler was loaded
};

struct NamedText {
  std::string name;
  std::string value;
};

struct NamedCount {
  std::string name;  // unit as suffix: "handler_time_ns", "ring_bytes", "drops_ring_full"
  uint64_t value = 0;
};

constexpr int64_t kTimeUnknown = -1;

// Bits of Message::flags; part of the dump format.
constexpr uint32_t kMessageThrew = 1U << 0;            // an exception left it
constexpr uint32_t kMessageNested = 1U << 1;           // dispatched inside another message
constexpr uint32_t kMessageSeenLate = 1U << 2;         // was already running when the tap came
constexpr uint32_t kMessageHasTree = 1U << 3;          // a tree with its token is in the dump
constexpr uint32_t kMessageIdentityUnknown = 1U << 4;  // target, callback and what are not known

struct Message {
  uint64_t token = 0;
  uint64_t start_ns = 0;           // CLOCK_MONOTONIC
  int64_t wait_ns = kTimeUnknown;  // start minus Message.when
  int64_t wall_ns = kTimeUnknown;  // so far, for the running message
  int64_t cpu_ns = kTimeUnknown;   // thread CPU time
  uint32_t samples = 0;
  uint32_t flags = 0;
  int32_t what = 0;
  std::string target;    // class of the Handler, "" when unknown
  std::string callback;  // class of the Runnable, "" when none
};

struct PendingMessage {
  int64_t delay_ms = 0;  // when minus now; negative is overdue
  int32_t what = 0;
  bool is_asynchronous = false;
  bool is_barrier = false;
  std::string target;
  std::string callback;
};

struct Document {
  uint16_t format_version = 0;
  Trigger trigger = Trigger::kUnknown;
  uint32_t sequence = 0;  // dumps of this process before this one
  uint64_t taken_monotonic_ns = 0;
  uint64_t taken_realtime_ns = 0;  // Unix time
  Identity identity;
  std::vector<NamedText> configuration;
  std::vector<NamedCount> counters;
  std::vector<Message> history;  // messages of 50 ms and more, oldest first
  uint64_t history_lost = 0;     // older ones that the bound pushed out
  std::optional<Message> running;
  std::string pending_source;  // how the queue was read: "mMessages"; "" when it was not, see
                               // pending_absent
  std::string pending_absent;  // why it was not read
  std::vector<PendingMessage> pending;
  trace::FrameTable frames;
  std::vector<trace::TraceTree> trees;  // each with the token of its message; at most one per token
  // Not empty when the input was cut or damaged: one line each, with the offset. What was read
  // before stands.
  std::vector<std::string> damage;
};

}  // namespace stillframe::dump
