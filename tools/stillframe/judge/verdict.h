// SPDX-License-Identifier: Apache-2.0
// Facts on what held the main thread, and for how long. Wording makes text of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <stillframe/token.h>

#include "src/model/frame.h"
#include "src/model/thread_stacks.h"
#include "tools/stillframe/index/dispatch.h"
#include "tools/stillframe/index/outside.h"
#include "tools/stillframe/judge/evidence.h"

namespace stillframe::judge {

constexpr size_t kLongestText = 200;  // characters of a frame or a lock

// The cause of a part of the time in question.
enum class Cause : uint8_t {
  kWork,         // the message's own: computing, or in native code
  kQuick,        // messages each below `slow_ms`
  kSleep,        // Thread.sleep
  kWait,         // Object.wait, a lock of java.util.concurrent, a future, a latch
  kLock,         // blocked on a monitor
  kBinder,       // a call to another process
  kInputOutput,  // a file, a database or a socket
  kMemory,       // page faults: waits for pages of memory
  kRuntime,      // waits for the runtime, mostly its garbage collector
  kNoCpu,        // ready to run, without a CPU
  kStill,        // idle within a message, reason unknown
  kOutside,      // outside messages: idle handler, input, native callback
  kBarrier,      // a sync barrier held the queue back
  kFrozen,       // the process did not run
  kUnseen,       // nothing is recorded
};

// Layout and drawing belong to the main thread: they can be cheaper, not elsewhere.
enum class Drawing : uint8_t {
  kNone,
  kCalls,   // the method inflates, measures, lays out or draws
  kWithin,  // it is called by what does so
};

struct MethodTime {
  std::string method;  // clean text, like `place`
  std::string place;
  uint64_t us = 0;
};

// The method that held the main thread. All texts are clean names.
struct Culprit {
  std::string method;    // "fixture.Decimal.multiply"
  std::string place;     // "Decimal.java:23": its hottest line
  uint64_t held_us = 0;  // time with the method on the stack
  uint64_t line_us = 0;  // time at the hottest line
  // Its callees, each with a twentieth of its time or more, heaviest first. Only if its own code
  // has less than half of its time. `more_callees` counts the others.
  std::vector<std::pair<std::string, uint64_t>> callees;  // name and microseconds
  uint32_t more_callees = 0;
  // Methods off the path to it, each with a fifth of the time or more, heaviest first.
  std::vector<std::pair<std::string, uint64_t>> besides;  // name and microseconds
  std::string leaf;  // its hot callee: the deepest method that holds half of the time, or itself
  std::string leaf_place;
  std::string caller;  // of the outermost call on the path; "": entry of the message
  std::string caller_place;
  model::ThreadState state = model::ThreadState::kUnknown;  // the most frequent in its stacks
  uint64_t state_us = 0;
  Drawing drawing = Drawing::kNone;

  bool is_library = false;  // a known library's, not the application's

  // The thread waited, slept or was blocked for most of the time.
  bool IsStandstill() const;
};

// One row of the list; the rows sum to the time in question.
struct Contributor {
  Cause cause = Cause::kUnseen;
  uint64_t ns = 0;
  bool is_running = false;                 // mostly of the running message
  std::optional<index::Dispatch> message;  // the one with most of its time; empty: none
  bool has_ended = true;                   // of that message, or the idle handler in it
  uint64_t messages = 0;                   // count of its messages
  std::vector<Token> tokens;               // of its messages, costliest first
  Thread owner;                            // of the lock
  bool lost_stacks = false;                // samples were taken, but their stacks were dropped
  uint64_t stacks_us = 0;                  // microseconds that have stacks
  uint64_t unsampled_us = 0;               // in samples without a method
  std::optional<Culprit> place;            // from these stacks
  model::ThreadState state = model::ThreadState::kUnknown;  // the most frequent in these stacks
  // Where it was, most time first. A stack's time belongs to its innermost method of the
  // application, else to its innermost method.
  std::vector<MethodTime> methods;
  size_t folded = 0;      // count of further small rows merged into this one
  bool is_named = false;  // the headline or the sentence names it
};

// A thread that the main thread waits for, or that another such thread waits for.
struct Waiter {
  uint32_t tid = 0;
  std::string thread;  // its name
  model::WaitKind wait = model::WaitKind::kNone;
  bool is_timed = false;   // its wait has a timeout
  std::string wait_class;  // "app.Store"; "": unknown
  // The application's frame that holds what the previous thread waits for, "app.Store.save
  // (Store.java:3)". With `is_own_guess` it is the innermost frame that is not a wrapper.
  std::string own_frame;
  bool is_own_guess = true;
  index::Outside outside = index::Outside::kNothing;  // what the own frame waited for
  std::vector<std::string> stack;                     // innermost first
};

// From the main thread to the end: each thread waits for the next.
struct WaitChain {
  static constexpr size_t kNone = SIZE_MAX;

  std::vector<Waiter> threads;  // main thread first; empty: it did not wait
  size_t loop = kNone;          // index of the thread that the last one waits for
  // May end the last thread's wait if its owner is unknown: they run code of its class.
  std::vector<Waiter> candidates;

  // The message in the main thread's queue that the last thread may wait for: "Runnable
  // app.Save$1". "": none found.
  std::string in_queue;

  bool is_circle() const { return loop != kNone; }
  // A circle in which one wait has a timeout is not a deadlock.
  bool is_deadlock() const { return is_circle() && !is_timed_circle(); }
  bool is_timed_circle() const {
    for (size_t i = loop; i < threads.size(); ++i)
      if (threads[i].is_timed) return true;
    return false;
  }
};

// The purpose of a wait in known code of Android or a library.
enum class Awaited : uint8_t {
  kUnknown,
  kPreferencesWrite,
  kPreferencesLoad,
  kDatabaseConnection,
  kRenderThread,
  kUnity,
  kFlutter,
  kReactNative,
  kWebView,
  kGlThread,
  kPlayTask,
  kSemaphore,
  kThreadEnd,
  kTaskResult,
  kLatch,
  kReentrantLock,
  kCoroutine,
  kNetwork,
};

// The kind of ANR, in Android's terms. Written by `inspect --json`.
enum class AnrKind : uint8_t {
  kUnknown,
  kInput,
  kBroadcast,
  kService,            // one of its calls: onCreate, onStartCommand, onBind, ...
  kForegroundService,  // no startForeground() call
  kShortService,       // a short foreground service did not stop
  kProvider,
  kJob,
  kApplicationStart,
};

// Android's limit for it.
enum class AnrLimit : uint8_t {
  kUnknown,
  kInput,
  kBroadcast,  // in the foreground or in the background
  kForegroundBroadcast,
  kBackgroundBroadcast,
  kService,
  kForegroundService,
  kShortService,
  kProvider,
  kJob,
  kApplicationStart,
};

enum class AnrSource : uint8_t { kSystem, kWaitingMessage };

struct Anr {
  AnrKind kind = AnrKind::kUnknown;
  AnrSource source = AnrSource::kSystem;
  std::string reason;     // clean text: the system's, or the waiting message
  std::string component;  // clean text: "com.example/.SyncService"; "": unknown
  AnrLimit limit = AnrLimit::kUnknown;
};

// Values are written by `inspect --json`.
enum class Kind : uint8_t {
  kNothingSlow,    // nothing held the main thread for long
  kNotEnoughData,  // something was late, and the records do not say why
  kNoSamples,      // a slow message without samples
  kMethod,         // a method held the main thread
  kStandstill,     // a method waited or slept
  kBlocked,        // a method was blocked on a monitor
  kBinderCall,     // another process did not answer a call
  kInputOutput,    // a file, a database or a socket
  kPageFaults,     // waited for pages of memory
  kSpread,         // the time went to many methods
  kEarlier,        // ended messages delayed the one that waits
  kFlood,          // too many waiting messages of one kind
  kLeakedBarrier,  // a sync barrier that was never removed
  kStarved,        // the main thread was ready to run and got no CPU
  kShortOfMemory,  // the system was short of memory
  kProcessFrozen,  // the process did not run at all
  kRuntimeWait,    // waited for the runtime, mostly its garbage collector
  kDeadlock,       // a circle of waits, in which the main thread takes part or waits
  kIdle,           // waited for messages when its stack was taken, and messages are not known
};

enum class Confidence : uint8_t { kLow, kMedium, kHigh };

// Why the confidence has its level.
enum class ConfidenceReason : uint8_t {
  kExplained,     // samples and the kernel's counts explain most of the time
  kCertain,       // it can never end, or it was recorded
  kSmallShare,    // what the verdict names has too little of the time
  kFewSamples,    // or the method has too few of its samples
  kEstimate,      // from samples, because the kernel counted nothing
  kNamesMissing,  // half of the time is in methods without names
  kOneLook,       // a stack at the dump, not a measurement
  kUnseen,        // the records do not explain it
  kRecorded,      // another tool recorded calls, and took no samples
  kDebugged,      // a debugger was attached
  kNoStacks,      // the system's figures, without a stack
};

// Why the headline does not name the first row of the list.
enum class LeadReason : uint8_t {
  kFirstRow,  // it does
  kTogether,  // rows of one kind are reported together, and are then the largest
  kUnseen,    // the first row is unrecorded time
  kSystem,    // the system's state explains several rows
};

struct Verdict {
  Kind kind = Kind::kNothingSlow;
  Cause cause = Cause::kUnseen;  // of what the verdict names
  Confidence confidence = Confidence::kHigh;
  ConfidenceReason confidence_reason = ConfidenceReason::kExplained;
  LeadReason lead_reason = LeadReason::kFirstRow;
  uint64_t named_ns = 0;     // of window_ns: the headline's time
  uint64_t samples = 0;      // of what the verdict names
  uint64_t all_samples = 0;  // of its message
  std::optional<Culprit> culprit;
  std::optional<index::Dispatch> message;  // what the verdict is about
  bool is_running = false;                 // `message` ran at the dump
  std::optional<index::Dispatch> waiting;  // the message due longest
  bool is_cut = false;                     // due longer than the window
  uint64_t messages = 0;                   // count of messages reported together
  uint64_t late_messages = 0;              // count of late messages in the queue
  std::vector<Thread> holders;             // of the lock, longest first
  size_t more_holders = 0;
  bool still_holds = false;                           // the first holder, at the dump
  std::optional<evidence::OtherLooper> other_looper;  // hung, while the main thread was well
  bool is_main_known = true;  // false: a record of another thread, which has no message of main
  std::optional<evidence::Spent> spent;  // where the only holder was meanwhile, most of the time
  std::string holder_ran;    // meanwhile on its Looper, if the hang is over; "": unknown
  std::string holder_frame;  // its code that holds the lock; "": unknown
  bool is_holder_guess = true;
  std::vector<Evidence> evidence;
  std::optional<Token> token;        // the message that the verdict is about
  std::vector<Token> tokens;         // all messages to blame, costliest first
  std::vector<std::string> threads;  // other threads to blame, clean text
  // For whom the main thread waited at the dump. `is_chain_later`: by then it waited for something
  // else than the verdict names.
  WaitChain chain;
  bool is_chain_later = false;
  std::optional<Anr> anr;  // empty: none known
  Awaited awaited = Awaited::kUnknown;
  std::string awaited_in;              // the innermost frame of that wait's code
  bool is_awaited_by_culprit = false;  // or by the chain's first frame; else by code inside it
  bool is_anr = false;                 // an ANR was confirmed
  std::string after_anr;               // the stacks are so much later, "4 minutes"; "": not known
  bool is_unwatched = false;           // no Looper was watched
  bool is_since_unknown = false;       // a probe did not see the running message begin
  bool is_idle = false;                // the main thread had nothing to do
  std::string trouble;                 // why the sampler did not work at the dump; "": it did
  bool is_recorded = false;            // its tree has calls with their times, not samples
  bool is_unnamed = false;             // nothing says that the one stack is the main thread's
  bool is_at_dump = false;             // based on the stacks at the dump only
  bool is_rival_known = false;         // the first of `threads` used the CPU
  bool is_stuck = false;               // the kernel kept main waiting for a page or for storage
  bool is_storage_slow = false;        // the device's storage delayed main
  bool is_log = false;                 // only the system's figures are known, no stack
  bool is_main_busy = false;           // by these figures
  std::string process;  // another process that took the CPU, with its share, clean text
  // The list of contributors, largest first. The rows sum to window_ns.
  uint64_t window_ns = 0;
  std::vector<Contributor> contributors;
  std::optional<size_t> lead;  // the row that the headline names

  const Contributor* LeadRow() const { return lead ? &contributors[*lead] : nullptr; }
  // Includes the main thread.
  size_t ThreadsOfChain() const { return is_chain_later ? 0 : chain.threads.size(); }
};

// The first evidence of a kind; null: none.
template <typename Fact>
const Fact* Find(const Verdict& verdict) {
  for (const Evidence& each : verdict.evidence)
    if (const Fact* fact = std::get_if<Fact>(&each)) return fact;
  return nullptr;
}

}  // namespace stillframe::judge

namespace stillframe {

template <>
inline constexpr EnumTable<judge::Cause, 15> kTableOf<judge::Cause> = {judge::Cause::kUnseen,
                                                                       {{"work"},
                                                                        {"quick-messages"},
                                                                        {"sleep"},
                                                                        {"wait"},
                                                                        {"lock"},
                                                                        {"binder"},
                                                                        {"input-output"},
                                                                        {"memory"},
                                                                        {"runtime"},
                                                                        {"no-cpu"},
                                                                        {"standing-still"},
                                                                        {"outside"},
                                                                        {"barrier"},
                                                                        {"frozen"},
                                                                        {"unseen"}}};

// Titles are Play Console's.
template <>
inline constexpr EnumTable<judge::AnrKind, 9> kTableOf<judge::AnrKind> = {
    judge::AnrKind::kUnknown,
    {{"unknown"},
     {"input", "Input dispatching timed out"},
     {"broadcast", "Broadcast of Intent"},
     {"service", "Executing service"},
     {"foreground-service", "startForeground() was not called"},
     {"short-service", "A short service did not stop"},
     {"provider", "ContentProvider not responding"},
     {"job", "No response to onStartJob or onStopJob"},
     {"application-start", "Failed to complete startup"}}};

template <>
inline constexpr EnumTable<judge::AnrSource, 2> kTableOf<judge::AnrSource> = {
    judge::AnrSource::kSystem, {{"system"}, {"waiting-message"}}};

template <>
inline constexpr EnumTable<judge::Kind, 19> kTableOf<judge::Kind> = {judge::Kind::kNotEnoughData,
                                                                     {{"nothing-slow"},
                                                                      {"not-enough-data"},
                                                                      {"no-samples"},
                                                                      {"method"},
                                                                      {"standstill"},
                                                                      {"blocked"},
                                                                      {"binder-call"},
                                                                      {"input-output"},
                                                                      {"page-faults"},
                                                                      {"spread"},
                                                                      {"earlier-messages"},
                                                                      {"queue-flood"},
                                                                      {"leaked-barrier"},
                                                                      {"starved-of-cpu"},
                                                                      {"short-of-memory"},
                                                                      {"process-frozen"},
                                                                      {"runtime-wait"},
                                                                      {"deadlock"},
                                                                      {"idle"}}};

template <>
inline constexpr EnumTable<judge::Confidence, 3> kTableOf<judge::Confidence> = {
    judge::Confidence::kLow, {{"low"}, {"medium"}, {"high"}}};

template <>
inline constexpr EnumTable<judge::ConfidenceReason, 11> kTableOf<judge::ConfidenceReason> = {
    judge::ConfidenceReason::kUnseen,
    {{"explained"},
     {"certain"},
     {"small-share"},
     {"few-samples"},
     {"estimate"},
     {"names-missing"},
     {"one-look"},
     {"unseen"},
     {"recorded"},
     {"debugged"},
     {"no-stacks"}}};

template <>
inline constexpr EnumTable<judge::LeadReason, 4> kTableOf<judge::LeadReason> = {
    judge::LeadReason::kFirstRow, {{"first-row"}, {"together"}, {"unseen"}, {"system"}}};

}  // namespace stillframe
