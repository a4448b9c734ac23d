// SPDX-License-Identifier: Apache-2.0
// Observations that support a verdict: a struct for each kind. `kName` is its name in JSON.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include <stillframe/token.h>

#include "src/model/frame.h"

namespace stillframe::judge {

struct Thread {
  std::string name = {};  // clean text; "": unknown
  uint32_t tid = 0;       // the kernel's id; 0: unknown

  bool is_known() const { return !name.empty() || tid != 0; }
  auto operator<=>(const Thread&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct PartOfTime {
  uint64_t ns = 0;
  uint64_t of_ns = 0;
};

constexpr PartOfTime PartOfUs(uint64_t us, uint64_t of_us) { return {us * 1000, of_us * 1000}; }

struct PartOfMemory {
  uint64_t bytes = 0;
  uint64_t of_bytes = 0;
};

// Share of the last 10 s in which tasks waited for a resource.
struct Pressure {
  uint64_t full_permille = 0;  // all tasks
  uint64_t some_permille = 0;  // some tasks
};

// All texts are clean: names from the dump.
namespace evidence {

struct HottestLine {
  static constexpr std::string_view kName = "hottest-line";
  std::string line = {};  // "Decimal.java:23"
  PartOfTime time = {};   // of the method's
};

struct Inside {
  static constexpr std::string_view kName = "inside";
  std::string method = {};
  std::string place = {};
};

struct Caller {
  static constexpr std::string_view kName = "caller";
  std::string method = {};
  std::string place = {};
};

struct Recursion {
  static constexpr std::string_view kName = "recursion";
  std::string method = {};
  std::string begun_by = {};
};

// The main thread's most frequent state.
struct State {
  static constexpr std::string_view kName = "state";
  model::ThreadState state = model::ThreadState::kUnknown;
};

// Another method has part of the time.
struct Shared {
  static constexpr std::string_view kName = "shared";
  std::string method = {};
  PartOfTime time = {};
};

// Perhaps time of methods inlined into compiled code.
struct Inlining {
  static constexpr std::string_view kName = "inlining";
  PartOfTime time = {};
};

// CPU time of the message. `state` explains the rest, if it is known.
struct Cpu {
  static constexpr std::string_view kName = "cpu";
  PartOfTime time = {};
  model::ThreadState state = model::ThreadState::kUnknown;
};

// Runnable, without a CPU.
struct NoCpu {
  static constexpr std::string_view kName = "no-cpu";
  PartOfTime time = {};
};

// The message was late when it began.
struct DueBefore {
  static constexpr std::string_view kName = "due-before";
  uint64_t late_ns = 0;
};

// The message has no samples, or most of it has none.
struct NoSample {
  static constexpr std::string_view kName = "no-sample";
};

struct TreeNotKept {
  static constexpr std::string_view kName = "tree-not-kept";
  uint64_t samples = 0;
};

struct SamplerOff {
  static constexpr std::string_view kName = "sampler-off";
  std::string reason = {};
};

struct KernelCall {
  static constexpr std::string_view kName = "kernel-call";
  std::string call = {};
  uint64_t idle_ns = 0;
};

struct Holder {
  static constexpr std::string_view kName = "holder";
  Thread thread = {};
  std::string lock_class = {};
  uint64_t held_ns = 0;
};

// The frame that holds the lock.
struct HolderAt {
  static constexpr std::string_view kName = "holder-at";
  Thread thread = {};
  std::string frame = {};
  bool is_guess = false;
};

// A thread of the chain, at the dump.
struct ChainAt {
  static constexpr std::string_view kName = "chain-at";
  Thread thread = {};
  std::string frame = {};
};

// A thread that may end the wait.
struct Candidate {
  static constexpr std::string_view kName = "candidate";
  Thread thread = {};
  std::string frame = {};
};

// The chain's first thread waits for something whose owner is unknown.
struct WaitedFor {
  static constexpr std::string_view kName = "waited-for";
};

// At the dump the thread waited for something else: Verdict::chain.
struct LaterWait {
  static constexpr std::string_view kName = "later-wait";
};

// The message in the queue that is due longest.
struct Waiting {
  static constexpr std::string_view kName = "waiting";
  std::string message = {};
  uint64_t late_ns = 0;
};

struct SlowMessage {
  static constexpr std::string_view kName = "message";
  std::string message = {};
  PartOfTime time = {};
  Token token = {};
};

// The running message's time.
struct Running {
  static constexpr std::string_view kName = "running";
  PartOfTime time = {};
};

// Late messages of one kind.
struct Late {
  static constexpr std::string_view kName = "late";
  std::string message = {};
  uint64_t messages = 0;      // late ones of this kind
  uint64_t all_messages = 0;  // late ones of all kinds
  uint64_t queued = 0;        // all messages in the queue that were counted
  bool has_more = false;      // the queue was longer than could be counted
};

// CPU time of short messages.
struct QuickCpu {
  static constexpr std::string_view kName = "quick-cpu";
  PartOfTime time = {};
};

struct QuickAndSlow {
  static constexpr std::string_view kName = "quick-slow";
  uint64_t quick_ns = 0;
  uint64_t slow_ns = 0;
};

// Without a message.
struct Idle {
  static constexpr std::string_view kName = "idle";
  PartOfTime time = {};
};

// The main thread's code at a dump during no message.
struct MainAt {
  static constexpr std::string_view kName = "main-at";
  std::string where = {};  // "": its Looper, in which it waited
};

// The main thread's native frame at the dump.
struct NativeAt {
  static constexpr std::string_view kName = "native-at";
  std::string where = {};
};

// Nothing in the process ran.
struct NothingRan {
  static constexpr std::string_view kName = "nothing-ran";
};

// No sample was taken, and the CPU clock did not move.
struct ClockStood {
  static constexpr std::string_view kName = "clock-stood";
};

struct MemoryPressure {
  static constexpr std::string_view kName = "memory-pressure";
  Pressure pressure = {};
};

struct LittleMemory {
  static constexpr std::string_view kName = "little-memory";
  PartOfMemory available = {};
  uint64_t major_faults = 0;
};

// The threads' CPU times are not known, or span only this time.
struct RivalsUnknown {
  static constexpr std::string_view kName = "rivals-unknown";
  uint64_t watched_ns = 0;  // 0: no thread is listed
};

// CPU time of another thread.
struct Rival {
  static constexpr std::string_view kName = "rival";
  Thread thread = {};
  PartOfTime time = {};
  uint64_t kernel_percent = 0;  // of its CPU time; 0: not notable
};

// CPU time of threads that have ended.
struct EndedRivals {
  static constexpr std::string_view kName = "ended-rivals";
  PartOfTime time = {};
};

// They used the CPUs, for longer than the named threads of this process.
struct OtherProcesses {
  static constexpr std::string_view kName = "other-processes";
  uint64_t named_threads = 0;
};

// The kernel's kswapd0.
struct Swapper {
  static constexpr std::string_view kName = "kswapd";
  uint64_t permille = 0;  // of a CPU
};

// The CPUs waited for disks.
struct DiskWait {
  static constexpr std::string_view kName = "io-wait";
  uint64_t permille = 0;  // of the time
};

// The main thread's times since it began.
struct WaitedForCpu {
  static constexpr std::string_view kName = "waited-for-cpu";
  uint64_t waited_ns = 0;
  uint64_t ran_ns = 0;
};

// Calls that another tool recorded.
struct RecordedCalls {
  static constexpr std::string_view kName = "recorded-calls";
  PartOfTime time = {};
};

// The main thread's code at the dump.
struct MainRan {
  static constexpr std::string_view kName = "main-ran";
  std::string method = {};
  std::string place = {};
};

struct SystemBusy {
  static constexpr std::string_view kName = "system-busy";
  uint64_t permille = 0;     // of all CPUs
  std::string process = {};  // the busiest other one, with its share; "": unknown
};

// Blocking collections since the process's start.
struct Collections {
  static constexpr std::string_view kName = "collections";
  uint64_t collections = 0;
  uint64_t took_ns = 0;
};

// Time in methods without names, or below them.
struct Nameless {
  static constexpr std::string_view kName = "nameless";
  PartOfTime time = {};
};

// Stacks without their outer frames.
struct Cut {
  static constexpr std::string_view kName = "cut";
  PartOfTime time = {};
  std::string reason = {};
};

// See Verdict::anr.
struct AnrDeclared {
  static constexpr std::string_view kName = "anr";
};

struct StoragePressure {
  static constexpr std::string_view kName = "storage-pressure";
  Pressure pressure = {};
};

// Some tasks waited for a CPU.
struct CpuPressure {
  static constexpr std::string_view kName = "cpu-pressure";
  uint64_t permille = 0;  // of the last 10 s
};

// Main's waits for pages of memory, with the process's and the system's figures beside them.
struct PageFaults {
  static constexpr std::string_view kName = "page-faults";
  PartOfTime time = {};
  uint64_t major_faults = 0;  // of the process, since about 10 s; 0: none is known
  Pressure pressure = {};     // 0: not known, or none
};

struct MajorFaults {
  static constexpr std::string_view kName = "major-faults";
  uint64_t major_faults = 0;
};

// At the dump the kernel kept main waiting for a page or for storage.
struct StuckInKernel {
  static constexpr std::string_view kName = "stuck-in-kernel";
};

struct FullHeap {
  static constexpr std::string_view kName = "full-heap";
  PartOfMemory used = {};
};

// The process's CPU time.
struct OwnShare {
  static constexpr std::string_view kName = "own-share";
  uint64_t permille = 0;         // of a CPU
  uint64_t kernel_permille = 0;  // of a CPU, in the kernel
};

struct BusiestOther {
  static constexpr std::string_view kName = "busiest-other";
  std::string process = {};  // with its share
  uint64_t permille = 0;     // of a CPU
};

// Code or message that the lock's holder ran on its Looper meanwhile.
struct HolderRan {
  static constexpr std::string_view kName = "holder-ran";
  Thread thread = {};
  std::string ran = {};
};

// Where a thread was that was followed while main waited. `time`: in the method, of the time that
// its stacks stand for.
struct Spent {
  static constexpr std::string_view kName = "spent";
  Thread thread = {};
  std::string frame = {};
  PartOfTime time = {};
};

// The longest message of another Looper that hung.
struct OtherLooper {
  static constexpr std::string_view kName = "other-looper";
  Thread thread = {};
  std::string message_text = {};
  std::string frame = {};  // where it was most of the time; "": unknown
  bool is_sampled = true;
  uint64_t took_ns = 0;
};

// A debugger was attached, which may have stopped threads.
struct Debugged {
  static constexpr std::string_view kName = "debugged";
  std::string process = {};
};

// How the system says that the process ended.
struct ProcessExit {
  static constexpr std::string_view kName = "process-exit";
  std::string reason = {};
  std::string description = {};  // the system's words; "": none
  uint64_t after_ns = 0;         // of the hang's last time; 0: not known
};

// A thread that was followed without a stack.
struct NotSeen {
  static constexpr std::string_view kName = "not-seen";
  Thread thread = {};
  std::string why = {};
};

// Samples without a method.
struct Unsampled {
  static constexpr std::string_view kName = "unsampled";
  PartOfTime time = {};
  std::string reason = {};
};

// Mean count of runnable or stuck tasks, in 1/1000.
struct Load {
  static constexpr std::string_view kName = "load";
  uint64_t load_1min_milli = 0;
  uint64_t load_15min_milli = 0;
  uint64_t cpus = 0;  // about; 0: unknown
};

}  // namespace evidence

using Evidence = std::variant<
    evidence::HottestLine, evidence::Inside, evidence::Caller, evidence::Recursion, evidence::State,
    evidence::Shared, evidence::Inlining, evidence::Cpu, evidence::NoCpu, evidence::DueBefore,
    evidence::NoSample, evidence::TreeNotKept, evidence::SamplerOff, evidence::KernelCall,
    evidence::Holder, evidence::HolderAt, evidence::ChainAt, evidence::Candidate,
    evidence::WaitedFor, evidence::LaterWait, evidence::Waiting, evidence::SlowMessage,
    evidence::Running, evidence::Late, evidence::QuickCpu, evidence::QuickAndSlow, evidence::Idle,
    evidence::MainAt, evidence::NativeAt, evidence::NothingRan, evidence::ClockStood,
    evidence::MemoryPressure, evidence::LittleMemory, evidence::RivalsUnknown, evidence::Rival,
    evidence::EndedRivals, evidence::OtherProcesses, evidence::Swapper, evidence::DiskWait,
    evidence::WaitedForCpu, evidence::RecordedCalls, evidence::MainRan, evidence::SystemBusy,
    evidence::Collections, evidence::Nameless, evidence::Cut, evidence::AnrDeclared,
    evidence::StoragePressure, evidence::CpuPressure, evidence::PageFaults, evidence::MajorFaults,
    evidence::StuckInKernel, evidence::FullHeap, evidence::OwnShare, evidence::BusiestOther,
    evidence::HolderRan, evidence::Unsampled, evidence::Load, evidence::Spent, evidence::NotSeen,
    evidence::Debugged, evidence::OtherLooper, evidence::ProcessExit>;

template <typename... Kinds>
constexpr bool HaveUniqueNames(const std::variant<Kinds...>* /*only its type counts*/) {
  std::array names = {Kinds::kName...};
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}
static_assert(HaveUniqueNames(static_cast<const Evidence*>(nullptr)));

}  // namespace stillframe::judge
