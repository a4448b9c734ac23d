// SPDX-License-Identifier: Apache-2.0
// Whose fault it was, in one sentence, with the evidence: what the rules say and outputs show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/model/thread_stacks.h"
#include "src/trace/frame.h"

namespace stillframe::verdict {

// Who took the time that a verdict is about: one entry of the list that all outputs show.
// Written out by `inspect --json`; the names are in CauseName().
enum class Cause : uint8_t {
  kWork,         // a message's own: it computed, or was in native code
  kQuick,        // messages that were quick, each alone
  kSleep,        // Thread.sleep
  kWait,         // Object.wait, a lock of java.util.concurrent, a future, a latch
  kLock,         // blocked on a monitor
  kBinder,       // another process was asked
  kInputOutput,  // a file, a database or a socket
  kRuntime,      // the runtime made the thread wait: its garbage collector, mostly
  kNoCpu,        // ready to run, without a CPU
  kStill,        // a message stood still, and nobody saw why
  kOutside,      // not within a message: an idle handler, input, a native callback
  kBarrier,      // a synchronization barrier held the queue back
  kFrozen,       // the process was not run
  kUnseen,       // nothing is recorded
};

std::string_view CauseName(Cause cause);

struct MethodTime {
  std::string method;  // clean text, as `place`
  std::string place;
  uint64_t us = 0;
};

struct Contributor {
  Cause cause = Cause::kUnseen;
  uint64_t ns = 0;
  std::string text;              // clean: "the ended message Runnable app.Sync"
  bool is_running = false;       // it is the running message's, for the most part
  std::vector<uint64_t> tokens;  // the messages in which it was, the costliest first
  // Where it was, most time first: a stack's time is its innermost method's of the application's,
  // or else its innermost one's.
  std::vector<MethodTime> methods;
};

// A thread that the main thread waits for, or that another such thread waits for.
// All texts are clean.
struct Waiter {
  uint32_t tid = 0;
  std::string thread;  // its name
  model::WaitKind wait = model::WaitKind::kNone;
  bool is_timed = false;  // its wait ends by itself
  std::string waits_for;  // "the monitor of app.Store"; "" when nothing is known
  std::string
      own_frame;  // the innermost frame of the application's: "app.Store.save (Store.java:3)"
  std::vector<std::string> stack;  // innermost first
};

// From the main thread to the end, each waits for the next.
struct WaitChain {
  static constexpr size_t kNone = SIZE_MAX;

  std::vector<Waiter> threads;  // the main thread first; empty: it did not wait
  size_t loop = kNone;          // the last one waits for this one
  // Who may end the wait of the last one, where nothing says who does: they run code of its class.
  std::vector<Waiter> candidates;

  // What the last one may wait for in the main thread's queue, by its name: "Runnable app.Save$1";
  // "" when nothing there tells.
  std::string in_queue;

  bool is_circle() const { return loop != kNone; }
  // A circle in which one wait ends by itself is none.
  bool is_deadlock() const { return is_circle() && !is_timed_circle(); }
  bool is_timed_circle() const {
    for (size_t i = loop; i < threads.size(); ++i)
      if (threads[i].is_timed) return true;
    return false;
  }
};

// The method that held the main thread during one message.
struct Culprit {
  std::string method;    // "fixture.Decimal.multiply", clean text
  std::string place;     // "Decimal.java:23": its hottest line
  uint64_t held_us = 0;  // time with the method on the stack
  uint64_t line_us = 0;  // time at the hottest line
  // Called by it and sharing its time, each with a twentieth of it or more, the heaviest first,
  // where its own code has less than half of it; the rest of them are `more_callees`.
  std::vector<std::pair<std::string, uint64_t>> callees;  // name and microseconds
  uint32_t more_callees = 0;
  // Off the way to it, each with a fifth of the message's time or more, the heaviest first: what it
  // was in besides, "app.Feed.sort" of the application's own where that is known.
  std::vector<std::pair<std::string, uint64_t>> besides;  // name and microseconds
  std::string leaf;  // the deepest method that holds half of the time; may be the same
  std::string leaf_place;
  std::string caller;  // of the outermost call on the path, "" if it is the message's own entry
  std::string caller_place;
  trace::ThreadState state = trace::ThreadState::kUnknown;  // what the thread mostly did in it
  uint64_t state_us = 0;

  // The thread waited, slept or was blocked for most of the time.
  bool IsStandstill() const;
};

// What kind of ANR a dump was taken for, in Android's words.
// Written out by `inspect --json`; the names are in AnrKindName().
enum class AnrKind : uint8_t {
  kUnknown,
  kInput,
  kBroadcast,
  kService,            // one of its calls: onCreate, onStartCommand, onBind, ...
  kForegroundService,  // startForeground() was not called, or a short service did not stop
  kProvider,
  kJob,
  kApplicationStart,
};

enum class AnrSource : uint8_t { kSystem, kWaitingMessage };

struct Anr {
  AnrKind kind = AnrKind::kUnknown;
  AnrSource source = AnrSource::kSystem;
  std::string reason;     // clean text: the system's, or what waits
  std::string component;  // clean text: "com.example/.SyncService", "" if it is not known
  std::string limit;      // "10 s in the foreground, 60 s in the background", "" if it is not known
};

std::string_view AnrKindName(AnrKind kind);

std::string_view AnrSourceName(AnrSource source);

// Values are written out by `inspect --json`; the names are in KindName().
enum class Kind : uint8_t {
  kNothingSlow,    // nothing held the main thread for long: a healthy program
  kNotEnoughData,  // something was late, and what was recorded does not say why
  kNoSamples,      // a slow message, but nobody looked at what it did
  kMethod,         // a method held the main thread
  kStandstill,     // a method waited or slept
  kBlocked,        // a method was blocked on a monitor
  kBinderCall,     // another process was asked and did not answer
  kInputOutput,    // a file, a database or a socket
  kSpread,         // the time went to many methods
  kEarlier,        // messages that had ended ate the time of the one that waits
  kFlood,          // too many messages of one kind wait
  kLeakedBarrier,  // a synchronization barrier that nobody removes
  kStarved,        // the main thread was ready to run and got no CPU
  kShortOfMemory,  // the system had no memory
  kProcessFrozen,  // the process was not run at all
  kRuntimeWait,    // the runtime made the main thread wait: its garbage collector, mostly
  kDeadlock,       // threads wait for each other in a circle, and the main thread for one of them
};

enum class Confidence : uint8_t { kLow, kMedium, kHigh };

struct Verdict {
  Kind kind = Kind::kNothingSlow;
  Confidence confidence = Confidence::kHigh;
  std::string sentence;               // clean text, one sentence
  std::vector<std::string> evidence;  // one sentence each
  std::optional<uint64_t> token;      // the message it is about
  std::vector<uint64_t> tokens;       // all messages to blame, the costliest first
  std::vector<std::string> threads;   // other threads to blame, clean text
  std::optional<Culprit> culprit;
  WaitChain chain;  // for whom the main thread waited at the dump, if the verdict is about that
  std::optional<Anr> anr;  // none is known of
  // Who took the time in question, the largest first; together it is window_ns.
  uint64_t window_ns = 0;
  std::vector<Contributor> contributors;
};

std::string_view KindName(Kind kind);

// "low", "medium", "high"
std::string_view ConfidenceName(Confidence confidence);

}  // namespace stillframe::verdict
