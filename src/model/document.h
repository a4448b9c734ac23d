// A dump in memory: what the reader returns and the host tools render.
// Context: any thread
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/trace/frame_table.h"
#include "src/trace/trace_tree.h"

namespace stillframe::model {

// Why the dump was written. Values are part of the dump format.
enum class Trigger : uint8_t {
  kUnknown = 0,
  kSigquit = 1,
  kApi = 2,
  kExit = 3,
  kLongMessage = 4,  // a message ran beyond its own limit, without a signal
  kHeartbeat = 5,    // the loop did not answer, or does not return
};

// Kinds of groups and records of the history. Values are part of the dump format.
enum class SpanKind : uint8_t {
  kUnknown = 0,
  kQuick = 1,   // quick messages only, merged
  kMixed = 2,   // a group that also has messages of its own by token
  kSlow = 3,    // one slow message alone
  kNormal = 4,  // one message that is neither quick nor slow
  kSystem = 5,  // one message of ActivityThread$H
  kFrame = 6,   // one message that is a frame of the Choreographer
  kIdle = 7,    // nothing to do, for long
  kFrozen = 8,  // the process was not run, or the device slept
  kLost = 9,    // messages that were not recorded; `messages` says how many
};

// What a frame of the Choreographer spent the longest in. Values are part of the dump format.
enum class FrameStage : uint8_t {
  kNone = 0,  // not a frame
  kUnknown = 1,
  kInput = 2,
  kAnimation = 3,
  kInsets = 4,  // insets animation
  kTraversal = 5,
  kCommit = 6,
};

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
  uint64_t token = 0;              // no other message of the dump has it, of any Looper
  uint64_t start_ns = 0;           // CLOCK_MONOTONIC
  int64_t wait_ns = kTimeUnknown;  // start minus Message.when
  int64_t wall_ns = kTimeUnknown;  // so far, for the running message
  int64_t cpu_ns = kTimeUnknown;   // thread CPU time
  uint32_t samples = 0;
  uint32_t flags = 0;
  int32_t what = 0;
  std::string target;                       // class of the Handler, "" when unknown
  std::string callback;                     // class of the Runnable, "" when none
  uint32_t looper = 0;                      // index into Document::loopers
  int64_t runqueue_wait_ns = kTimeUnknown;  // ready to run, without a CPU
  int64_t blocked_ns = kTimeUnknown;        // waiting for a monitor
  // "CREATE_SERVICE" when the target is ActivityThread$H; "" leaves it to the tools, which know
  // `what`.
  std::string system_name;
  FrameStage stage = FrameStage::kNone;
  uint32_t lock_owner_tid = 0;  // of the thread that held the monitor for the longest time
  std::string lock_owner;       // its name
};

struct PendingMessage {
  int64_t delay_ms = 0;  // when minus now; negative is overdue
  int32_t what = 0;
  bool is_asynchronous = false;
  bool is_barrier = false;
  std::string target;
  std::string callback;
  int64_t age_ms = kTimeUnknown;  // since it was posted; known for barriers
  std::string system_name;        // as in Message
};

struct Looper {
  std::string thread;  // its name
  uint32_t tid = 0;
  std::string tap;        // "observer", "printer", "poll"
  uint64_t messages = 0;  // begun so far
  // Of Loopers other than the main one, whose running message is Document::running.
  std::optional<Message> running;
};

// A stretch of the history, as the article groups it: 300 ms of work.
struct HistoryGroup {
  uint32_t looper = 0;
  SpanKind kind = SpanKind::kUnknown;  // kQuick, kMixed, kSlow, kIdle or kFrozen
  uint64_t start_ns = 0;
  uint64_t span_ns = 0;           // from its first message's start to its last one's end
  uint64_t wall_ns = 0;           // of its messages
  int64_t cpu_ns = kTimeUnknown;  // of its messages
  uint64_t messages = 0;
  std::vector<uint64_t> tokens;  // of the slow ones among them, which Document::history has
};

// The other view of the history: one message, or several quick ones merged.
struct HistoryRecord {
  uint32_t looper = 0;
  SpanKind kind = SpanKind::kUnknown;
  uint64_t start_ns = 0;
  uint64_t span_ns = 0;
  uint64_t wall_ns = 0;
  int64_t cpu_ns = kTimeUnknown;
  uint64_t messages = 0;
  uint64_t token = 0;  // of the last message
  int32_t what = 0;    // of the last message, as all below
  std::string target;
  std::string callback;
  std::string system_name;
};

struct FrozenFrame {
  uint64_t token = 0;
  uint64_t start_ns = 0;
  uint64_t duration_ns = 0;
  FrameStage stage = FrameStage::kUnknown;
  std::string scene;
};

struct SceneShare {
  std::string scene;
  uint64_t shown_ns = 0;
  uint64_t frozen_ns = 0;
  uint64_t frames = 0;
  uint64_t missed = 0;
};

struct Jank {
  std::string absent;  // why there are no frame statistics; "" when there are
  uint64_t refresh_interval_ns = 0;
  uint64_t frames = 0;      // drawn
  uint64_t missed = 0;      // refresh intervals without the frame that was due
  uint64_t watched_ns = 0;  // the time that all this is about
  // Frames of which only the start is known: what was missed before it is not counted.
  uint64_t due_unknown = 0;
  std::vector<FrozenFrame> frozen;
  std::vector<SceneShare> scenes;
};

// A fact about device or process. Groups: "device", "process", "cpu", "memory", "io", "gc". The
// name ends with the unit, as a counter's does: _ns, _ms, _bytes, _permille, _milli. The names
// that the verdict reads are in src/model/context_names.h.
struct ContextEntry {
  enum class State : uint8_t { kAbsent = 0, kText = 1, kNumber = 2 };

  std::string group;
  std::string name;
  State state = State::kAbsent;
  std::string text;  // or the reason for its absence
  int64_t number = 0;
};

struct ThreadRow {
  uint32_t tid = 0;
  std::string name;
  char state = '?';                // as /proc/PID/stat has it
  int64_t user_ms = kTimeUnknown;  // within the interval, as all below
  int64_t system_ms = kTimeUnknown;
  uint64_t interval_ms = 0;  // 0: since the thread began
  int32_t nice = 0;
  int64_t runqueue_wait_ms = kTimeUnknown;
};

struct ThreadTable {
  std::string absent;           // why there are no rows; "" when there are
  uint32_t threads = 0;         // of the process; there may be fewer rows
  std::vector<ThreadRow> rows;  // the busiest first
};

// What the application said about itself through the C API.
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

// The Signal Catcher's own report: the stacks of all threads and the owners of locks.
struct SignalCatcherText {
  std::string source;       // how it was captured; "" when it was not, see absent
  std::string absent;       // why it was not captured
  uint64_t full_bytes = 0;  // before it was shortened
  std::string text;
};

struct Document {
  uint16_t format_version = 0;
  Trigger trigger = Trigger::kUnknown;
  uint32_t sequence = 0;  // dumps of this process before this one
  uint64_t taken_monotonic_ns = 0;
  uint64_t taken_realtime_ns = 0;  // Unix time
  std::string trigger_detail;      // which limit, which signal, how long it did not answer
  std::string trigger_confirmed;   // by what an ANR was told from a mere signal; "" if it was not
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
  uint64_t pending_total = 0;         // messages in the queue; 0 is unknown
  bool pending_is_truncated = false;  // there may be more than pending_total
  std::vector<Looper> loopers;        // the main one first; empty in dumps before 1.1
  std::vector<HistoryGroup> groups;   // of all Loopers, oldest first
  uint64_t groups_lost = 0;
  std::vector<HistoryRecord> records;  // of all Loopers, oldest first
  uint64_t records_lost = 0;
  std::optional<Jank> jank;
  std::vector<ContextEntry> context;
  std::optional<ThreadTable> threads;
  Annotations annotations;
  std::optional<SignalCatcherText> signal_catcher;
  trace::FrameTable frames;
  std::vector<trace::TraceTree> trees;  // each with the token of its message; at most one per token
  // Not empty when the input was cut or damaged: one line each, with the offset. What was read
  // before stands.
  std::vector<std::string> damage;
};

}  // namespace stillframe::model
