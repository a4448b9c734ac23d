// SPDX-License-Identifier: Apache-2.0
// Who held the main thread, and for how long: facts, without a sentence. Wording makes text of
// them.
#pragma once

#include <array>
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

namespace stillframe::judge {

// What took a part of the time in question.
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
  kStill,        // idle within a message, for an unknown reason
  kOutside,      // not within a message: an idle handler, input, a native callback
  kBarrier,      // a sync barrier held the queue back
  kFrozen,       // the process was not run
  kUnseen,       // nothing is recorded
};

struct MethodTime {
  std::string method;  // clean text, as `place`
  std::string place;
  uint64_t us = 0;
};

// The method that held the main thread. All texts are names.
struct Culprit {
  std::string method;    // "fixture.Decimal.multiply"
  std::string place;     // "Decimal.java:23": its hottest line
  uint64_t held_us = 0;  // time with the method on the stack
  uint64_t line_us = 0;  // time at the hottest line
  // Called by it and sharing its time, each with a twentieth of it or more, the heaviest first,
  // where its own code has less than half of it; the rest of them are `more_callees`.
  std::vector<std::pair<std::string, uint64_t>> callees;  // name and microseconds
  uint32_t more_callees = 0;
  // Off the way to it, each with a fifth of the time or more, the heaviest first.
  std::vector<std::pair<std::string, uint64_t>> besides;  // name and microseconds
  std::string leaf;  // its hot callee: the deepest method that holds half of the time, or itself
  std::string leaf_place;
  std::string caller;  // of the outermost call on the path, "" if it is the message's own entry
  std::string caller_place;
  model::ThreadState state = model::ThreadState::kUnknown;  // what the thread mostly did in it
  uint64_t state_us = 0;

  // The thread waited, slept or was blocked for most of the time.
  bool IsStandstill() const;
};

struct Thread {
  std::string name;  // clean text, "" when it is not known
  uint32_t tid = 0;  // of the kernel, 0 when it is not known

  bool is_known() const { return !name.empty() || tid != 0; }
  auto operator<=>(const Thread&) const = default;  // NOLINT(modernize-use-nullptr)
};

// One row of the list that adds up to the time in question.
struct Contributor {
  Cause cause = Cause::kUnseen;
  uint64_t ns = 0;
  bool is_running = false;                 // it is the running message's, for the most part
  std::optional<index::Dispatch> message;  // in which most of it was; none: in none
  bool has_ended = true;                   // that message, or the idle handler in it
  uint64_t messages = 0;                   // in so many
  std::vector<Token> tokens;               // of these, the costliest first
  Thread owner;                            // of the lock
  bool lost_stacks = false;                // there were samples, and their stacks were not kept
  uint64_t stacks_us = 0;                  // so much of it has stacks
  std::optional<Culprit> place;            // by these stacks
  model::ThreadState state = model::ThreadState::kUnknown;  // the most frequent in these stacks
  // Where it was, most time first: a stack's time is its innermost method's of the application's,
  // or else its innermost one's.
  std::vector<MethodTime> methods;
  size_t folded = 0;     // it stands for so many further rows, each small
  bool is_told = false;  // headline or sentence is about it
};

// A thread that the main thread waits for, or that another such thread waits for.
struct Waiter {
  uint32_t tid = 0;
  std::string thread;  // its name
  model::WaitKind wait = model::WaitKind::kNone;
  bool is_timed = false;   // its wait ends by itself
  std::string wait_class;  // "app.Store", "" when it is not known
  // The application's frame that holds what the thread before it waits for, "app.Store.save
  // (Store.java:3)"; `is_own_guess`: its innermost one that is no wrapper, where nothing says
  // which.
  std::string own_frame;
  bool is_own_guess = true;
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

// What kind of ANR a dump was taken for, in Android's words.
// Written out by `inspect --json`.
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

// Values are written out by `inspect --json`.
enum class Kind : uint8_t {
  kNothingSlow,    // nothing held the main thread for long: a healthy program
  kNotEnoughData,  // something was late, and what was recorded does not say why
  kNoSamples,      // a slow message without samples
  kMethod,         // a method held the main thread
  kStandstill,     // a method waited or slept
  kBlocked,        // a method was blocked on a monitor
  kBinderCall,     // another process was asked and did not answer
  kInputOutput,    // a file, a database or a socket
  kSpread,         // the time went to many methods
  kEarlier,        // messages that had ended ate the time of the one that waits
  kFlood,          // too many messages of one kind wait
  kLeakedBarrier,  // a sync barrier that is never removed
  kStarved,        // the main thread was ready to run and got no CPU
  kShortOfMemory,  // the system had no memory
  kProcessFrozen,  // the process was not run at all
  kRuntimeWait,    // the runtime made the main thread wait: its garbage collector, mostly
  kDeadlock,       // threads wait for each other in a circle, and the main thread for one of them
};

enum class Confidence : uint8_t { kLow, kMedium, kHigh };

// Why a verdict is as sure as it is.
enum class ConfidenceReason : uint8_t {
  kExplained,     // samples and counts of the kernel explain most of the time
  kCertain,       // it can never end, or the recorder saw it
  kSmallShare,    // what is told has too small a part of the time
  kFewSamples,    // or the method has too small a part of them
  kEstimate,      // by samples where the kernel counted nothing
  kNamesMissing,  // half of the time went through methods without names
  kOneLook,       // a stack at the dump, no measurement
  kUnseen,        // nothing that is recorded tells
};

// Why the headline is not about the first row of the list.
enum class LeadReason : uint8_t {
  kFirstRow,  // it is
  kTogether,  // rows of one kind are told together, and are the largest so
  kUnseen,    // the first row is what was not recorded
  kSystem,    // the system's state explains several rows
};

// One observation. Which of the members count, and for what, is said beside each kind.
struct Evidence {
  enum class Kind : uint8_t {
    kHottestLine,  // `ns` of `of_ns`, the method's, at the place `name`
    kInside,       // mostly in the method `name` at `other`
    kCaller,       // called from `name` at `other`
    kRecursion,    // in a recursion of `name` that `other` began
    kState,        // the thread was mostly `state`
    kShared,       // with the method `name` for `ns`, one for each
    kGuess,        // for `ns` of `of_ns` compiled code may be that of inlined methods
    kCpu,          // `ns` of CPU time in `of_ns`
    kNoCpu,        // without a CPU for `ns` of `of_ns`
    kDueBefore,    // the message was due for `ns` when it began
    kNoSample,     // of the message, or of most of it
    kTreeNotKept,  // `count` samples, their tree was not kept
    kSamplerOff,   // why: `name`
    kKernelCall,   // idle in the kernel's `name` for `ns`
    kHolder,       // the thread `name` held the lock of class `other` for `ns`
    kHolderAt,     // the thread `name` held the lock in the frame `other`
    kChainAt,      // at the dump the thread `name` (`count`) was in `other`
    kCandidate,    // the thread `name` (`count`) may end the wait: it was in `other`
    kWaitedFor,    // the chain's first thread for something whose owner is not known
    kLaterWait,    // at the dump it waited for something else: the chain
    kWaiting,      // the message `name` has waited `ns`
    kMessage,      // the message `name` took `ns` of `of_ns`, `count` is its token
    kRunning,      // the running message had taken `ns` of `of_ns`
    kLate,         // `count` of `of_count` late messages are `name`; `ns` are in the queue, or more
    kQuickCpu,     // quick messages used `ns` of CPU time in `of_ns`
    kQuickAndSlow,     // quick messages took `ns`, slow ones `of_ns`
    kIdle,             // without a message for `ns` of `of_ns`
    kMainAt,           // at the dump no message ran, and the main thread was in `name`
    kRecorderSawNone,  // nothing in the process ran
    kClockStood,       // no sample was taken, and the CPU clock stood still
    kPressure,         // all tasks waited for memory for `count`, some for `of_count` per mille
    kLittleMemory,     // `ns` of `of_ns` bytes available, `count` major page faults
    kRivalsUnknown,    // who had the CPUs; threads were looked at for `ns`, 0: none is listed
    kRival,            // the thread `name` (`count`) used `ns` of CPU time in `of_ns`
    kEndedRivals,      // threads that ended used `ns` of CPU time in `of_ns`
    kOtherProcesses,   // had the CPUs; `count` is not 0: for longer than the threads named
    kSystemBusy,       // all CPUs were busy for `count` per mille
    kCollections,      // `count` blocking collections, which took `ns`
    kNameless,         // `ns` of `of_ns` went through methods without names
    kCut,              // callers are missing for `ns` of `of_ns`: `name`
    kAnr,              // see Verdict::anr
  };
  Kind kind = Kind::kHottestLine;
  std::string name = {};  // clean text, names from the dump
  std::string other = {};
  uint64_t ns = 0;
  uint64_t of_ns = 0;
  uint64_t count = 0;
  uint64_t of_count = 0;
  model::ThreadState state = model::ThreadState::kUnknown;
};

struct Verdict {
  Kind kind = Kind::kNothingSlow;
  Cause cause = Cause::kUnseen;  // of what is told
  Confidence confidence = Confidence::kHigh;
  ConfidenceReason confidence_reason = ConfidenceReason::kExplained;
  LeadReason lead_reason = LeadReason::kFirstRow;
  uint64_t told_ns = 0;      // of the time in question: the headline's time
  uint64_t samples = 0;      // of what is told
  uint64_t all_samples = 0;  // of its message
  std::optional<Culprit> culprit;
  std::optional<index::Dispatch> message;  // what it is about
  bool is_running = false;                 // that message was when the dump was taken
  std::optional<index::Dispatch> waiting;  // the message that has waited longest
  bool is_cut = false;                     // it has waited longer than the time in question
  uint64_t messages = 0;                   // so many are told together
  uint64_t late_messages = 0;              // so many were waiting
  std::vector<Thread> holders;             // of the lock, the longest first
  size_t more_holders = 0;
  bool still_holds = false;  // the first of them, at the dump
  std::string holder_frame;  // its code that holds the lock; "" when it is not known
  bool is_holder_guess = true;
  std::vector<Evidence> evidence;
  std::optional<Token> token;        // the message it is about
  std::vector<Token> tokens;         // all messages to blame, the costliest first
  std::vector<std::string> threads;  // other threads to blame, clean text
  // For whom the main thread waited at the dump; `is_chain_later`: it had gone on from what the
  // verdict is about.
  WaitChain chain;
  bool is_chain_later = false;
  std::optional<Anr> anr;       // none is known of
  bool is_anr = false;          // one was confirmed
  bool is_unwatched = false;    // no Looper was
  bool is_idle = false;         // the main thread had nothing to do
  bool is_at_dump = false;      // it is about the stacks at the dump alone
  bool is_rival_known = false;  // the first of `threads` used the CPU
  // What took the time in question, the largest first; together it is window_ns.
  uint64_t window_ns = 0;
  std::vector<Contributor> contributors;
  std::optional<size_t> lead;  // the row that the headline is about

  const Contributor* LeadRow() const { return lead ? &contributors[*lead] : nullptr; }
  // The main thread itself is one of them.
  size_t ThreadsOfChain() const { return is_chain_later ? 0 : chain.threads.size(); }
};

}  // namespace stillframe::judge

namespace stillframe {

template <>
inline constexpr EnumTable<judge::Cause, 14> kTableOf<judge::Cause> = {
    judge::Cause::kUnseen,
    {{"work", "", "app"},
     {"quick-messages", "", "class-quick"},
     {"sleep", "", "sleeping"},
     {"wait", "", "waiting"},
     {"lock", "", "blocked"},
     {"binder", "", "binder"},
     {"input-output", "", "io"},
     {"runtime", "", "runtime"},
     {"no-cpu", "", "ready"},
     {"standing-still", "", "waiting"},
     {"outside", "", "class-idle"},
     {"barrier", "", "barrier"},
     {"frozen", "", "class-frozen"},
     {"unseen", "", "class-lost"}}};

// Titles are Play Console's.
template <>
inline constexpr EnumTable<judge::AnrKind, 8> kTableOf<judge::AnrKind> = {
    judge::AnrKind::kUnknown,
    {{"unknown"},
     {"input", "Input dispatching timed out"},
     {"broadcast", "Broadcast of Intent"},
     {"service", "Executing service"},
     {"foreground-service", "startForeground() was not called"},
     {"provider", "ContentProvider not responding"},
     {"job", "No response to onStartJob or onStopJob"},
     {"application-start", "Failed to complete startup"}}};

template <>
inline constexpr EnumTable<judge::AnrSource, 2> kTableOf<judge::AnrSource> = {
    judge::AnrSource::kSystem, {{"system"}, {"waiting-message"}}};

template <>
inline constexpr EnumTable<judge::Kind, 17> kTableOf<judge::Kind> = {judge::Kind::kNotEnoughData,
                                                                     {{"nothing-slow"},
                                                                      {"not-enough-data"},
                                                                      {"no-samples"},
                                                                      {"method"},
                                                                      {"standstill"},
                                                                      {"blocked"},
                                                                      {"binder-call"},
                                                                      {"input-output"},
                                                                      {"spread"},
                                                                      {"earlier-messages"},
                                                                      {"queue-flood"},
                                                                      {"leaked-barrier"},
                                                                      {"starved-of-cpu"},
                                                                      {"short-of-memory"},
                                                                      {"process-frozen"},
                                                                      {"runtime-wait"},
                                                                      {"deadlock"}}};

template <>
inline constexpr EnumTable<judge::Confidence, 3> kTableOf<judge::Confidence> = {
    judge::Confidence::kLow, {{"low"}, {"medium"}, {"high"}}};

template <>
inline constexpr EnumTable<judge::ConfidenceReason, 8> kTableOf<judge::ConfidenceReason> = {
    judge::ConfidenceReason::kUnseen,
    {{"explained"},
     {"certain"},
     {"small-share"},
     {"few-samples"},
     {"estimate"},
     {"names-missing"},
     {"one-look"},
     {"unseen"}}};

template <>
inline constexpr EnumTable<judge::LeadReason, 4> kTableOf<judge::LeadReason> = {
    judge::LeadReason::kFirstRow, {{"first-row"}, {"together"}, {"unseen"}, {"system"}}};

template <>
inline constexpr EnumTable<judge::Evidence::Kind, 41> kTableOf<judge::Evidence::Kind> = {
    judge::Evidence::Kind::kHottestLine,
    {{"hottest-line"},
     {"inside"},
     {"caller"},
     {"recursion"},
     {"state"},
     {"shared"},
     {"inlining"},
     {"cpu"},
     {"no-cpu"},
     {"due-before"},
     {"no-sample"},
     {"tree-not-kept"},
     {"sampler-off"},
     {"kernel-call"},
     {"holder"},
     {"holder-at"},
     {"chain-at"},
     {"candidate"},
     {"waited-for"},
     {"later-wait"},
     {"waiting"},
     {"message"},
     {"running"},
     {"late"},
     {"quick-cpu"},
     {"quick-slow"},
     {"idle"},
     {"main-at"},
     {"nothing-ran"},
     {"clock-stood"},
     {"memory-pressure"},
     {"little-memory"},
     {"rivals-unknown"},
     {"rival"},
     {"ended-rivals"},
     {"other-processes"},
     {"system-busy"},
     {"collections"},
     {"nameless"},
     {"cut"},
     {"anr"}}};

}  // namespace stillframe
