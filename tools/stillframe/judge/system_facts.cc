// SPDX-License-Identifier: Apache-2.0
// Effects of the system on the process: memory, CPUs, collections.
#include <algorithm>
#include <span>

#include "src/model/context_names.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/units.h"
#include "tools/stillframe/judge/case.h"
#include "tools/stillframe/judge/wait_chain.h"

namespace stillframe::judge {

using index::WindowShare;
using Is = Evidence::Kind;

namespace {

namespace context = model::context;
using index::kNsPerMs;
using model::Document;

constexpr int64_t kFullPressurePermille = 100;
constexpr int64_t kSomePressurePermille = 300;
constexpr int64_t kManyMajorFaults = 200;
constexpr size_t kMostRivals = 3;
// kswapd0's share of one core, and the share of all cores that waits for disks. The second
// article's cases have 0.3 to 3.1 % for kswapd0 where memory was not short.
constexpr int64_t kNotableSwapperPermille = 100;
constexpr int64_t kHighSwapperPermille = 250;
constexpr int64_t kNotableWaitPermille = 200;
constexpr int64_t kBusyPermille = 900;
constexpr int64_t kFreePermille = 700;      // of all CPUs; below, a thread finds a free one
constexpr int64_t kLittleOwnPermille = 50;  // of one CPU
constexpr uint64_t kLeastIntervalMs = 100;  // shorter intervals have too few clock ticks

std::optional<int64_t> NumberOf(const Document& document, std::string_view group,
                                std::string_view name) {
  for (const model::ContextEntry& entry : document.context)
    if (entry.state == model::ContextEntry::State::kNumber && entry.group == group &&
        entry.name == name)
      return entry.number;
  return std::nullopt;
}

std::string TextOf(const Document& document, std::string_view group, std::string_view name) {
  for (const model::ContextEntry& entry : document.context)
    if (entry.state == model::ContextEntry::State::kText && entry.group == group &&
        entry.name == name)
      return index::Truncated(entry.text, 100);
  return {};
}

uint64_t Positive(std::optional<int64_t> value) {
  return static_cast<uint64_t>(std::max<int64_t>(value.value_or(0), 0));
}

uint64_t CpuMs(const model::ThreadRow& row) {
  return Positive(row.user_ms) + Positive(row.system_ms);
}

// The rows of threads whose CPU time is known; empty: none.
std::span<const model::ThreadRow> RowsOf(const Document& document) {
  if (!document.threads) return {};
  return document.threads->rows;
}

// Threads of ART that work because the traces are taken, or because others allocate.
// Source: AOSP 8 to 16, runtime/signal_catcher.cc, libcore java/lang/Daemons.java.
bool IsOfRuntime(std::string_view thread) {
  return thread == "Signal Catcher" || thread == "HeapTaskDaemon";
}

// The thread used the CPU; `of_count` is the kernel's percentage of that, if it is notable.
Evidence RivalEvidence(const model::ThreadRow& row, uint64_t interval_ms) {
  const uint64_t used_ms = CpuMs(row);
  const uint64_t kernel_ms = Positive(row.system_ms);
  return {.kind = Is::kRival,
          .name = index::Truncated(row.name, 60),
          .ns = used_ms * kNsPerMs,
          .of_ns = interval_ms * kNsPerMs,
          .count = row.tid,
          .of_count = kernel_ms * 5 >= used_ms ? (100 * kernel_ms + used_ms / 2) / used_ms : 0};
}

// Why memory is short. Nothing if it is not, or if the slow messages computed.
std::optional<Evidence> Pressure(const Case& facts) {
  const Document& document = facts.index.document();
  uint64_t cpu_ns = 0;
  for (const WindowShare& share : facts.window.slow) cpu_ns += Positive(share.message->cpu_ns);
  if (facts.window.slow_ns < index::kNotableNs || cpu_ns * 10 > facts.window.slow_ns * 6)
    return std::nullopt;
  const auto full = NumberOf(document, context::kMemory, context::kPressureFullPermille);
  const auto some = NumberOf(document, context::kMemory, context::kPressureSomePermille);
  if (full.value_or(0) >= kFullPressurePermille || some.value_or(0) >= kSomePressurePermille)
    return Evidence{.kind = Is::kPressure, .count = Positive(full), .of_count = Positive(some)};
  const auto available = NumberOf(document, context::kMemory, context::kAvailableBytes);
  const auto total = NumberOf(document, context::kMemory, context::kTotalBytes);
  const auto faults = NumberOf(document, context::kMemory, context::kMajorFaults);
  if (!available || !total || *total / 20 <= *available || faults.value_or(0) < kManyMajorFaults)
    return std::nullopt;
  return Evidence{.kind = Is::kLittleMemory,
                  .ns = Positive(available),
                  .of_ns = Positive(total),
                  .count = Positive(faults)};
}

// The process's CPU time before the dump minus that of the listed threads: used by threads that
// ended or are not listed. 0 if the two cover different times.
uint64_t UsedByEndedMs(const Document& document, uint64_t interval_ms) {
  const uint64_t busy = Positive(NumberOf(document, context::kCpu, context::kProcessBusyPermille));
  const uint64_t whole_ms = Positive(NumberOf(document, context::kCpu, context::kWindowMs));
  if (whole_ms > interval_ms + interval_ms / 10 || interval_ms > whole_ms + whole_ms / 10) return 0;
  uint64_t listed_ms = 0;
  for (const model::ThreadRow& row : document.threads->rows) listed_ms += CpuMs(row);
  const auto used_ms =
      static_cast<uint64_t>(static_cast<double>(busy) / 1000 * static_cast<double>(whole_ms));
  return used_ms - std::min(used_ms, listed_ms);
}

}  // namespace

bool IsShortOfMemory(const Case& facts) {
  // Late pages make a thread idle, read or wait for a CPU. Causes that name a lock or a waited-for
  // thread stay, whatever the memory.
  switch (facts.lead.contributor.cause) {
    case judge::Cause::kWork:
    case judge::Cause::kStill:
    case judge::Cause::kInputOutput:
    case judge::Cause::kNoCpu:
    case judge::Cause::kRuntime:
    case judge::Cause::kUnseen: return Pressure(facts).has_value();
    default: return false;
  }
}

void AddMemory(const Case& facts, Verdict* verdict) {
  if (const auto pressure = Pressure(facts)) verdict->evidence.push_back(*pressure);
}

void AddRivals(const Case& facts, Verdict* verdict) {
  const Document& document = facts.index.document();
  const uint64_t interval_ms = document.threads ? index::IntervalMs(*document.threads) : 0;
  const bool is_listed = document.threads && !document.threads->rows.empty();
  if (!is_listed || interval_ms < kLeastIntervalMs) {
    verdict->evidence.push_back(
        {.kind = Is::kRivalsUnknown, .ns = is_listed ? interval_ms * kNsPerMs : 0});
    return;
  }
  uint64_t rivals_ms = 0;
  for (const model::ThreadRow& row : document.threads->rows) {
    if (row.tid == MainTid(document)) continue;
    const uint64_t used_ms = CpuMs(row);
    rivals_ms += used_ms;
    if (used_ms * 20 < interval_ms || used_ms == 0 || verdict->threads.size() == kMostRivals)
      continue;
    verdict->evidence.push_back(RivalEvidence(row, interval_ms));
    verdict->threads.push_back(verdict->evidence.back().name);
  }
  const uint64_t ended_ms = UsedByEndedMs(document, interval_ms);
  rivals_ms += ended_ms;
  // Threads may be blamed if they used at least half as much CPU time as was waited for.
  const bool is_theirs = rivals_ms * 2 * std::max<uint64_t>(facts.window.slow_ns, 1) >=
                         facts.lead.contributor.ns * interval_ms;
  if (ended_ms * 10 >= interval_ms)
    verdict->evidence.push_back(
        {.kind = Is::kEndedRivals, .ns = ended_ms * kNsPerMs, .of_ns = interval_ms * kNsPerMs});
  else if (verdict->threads.empty() || !is_theirs)
    verdict->evidence.push_back({.kind = Is::kOtherProcesses, .count = verdict->threads.size()});
  verdict->is_rival_known = is_theirs && !verdict->threads.empty();
  if (const auto busy = NumberOf(document, context::kCpu, context::kSystemBusyPermille))
    verdict->evidence.push_back({.kind = Is::kSystemBusy, .count = Positive(busy)});
}

namespace {

// Adds that the main thread waited for CPUs longer than it ran, since it began. True if it hardly
// ran.
bool AddWaits(const Document& document, Verdict* verdict) {
  constexpr uint64_t kLeastWaitMs = 2'000;
  for (const model::ThreadRow& row : RowsOf(document)) {
    if (row.tid != MainTid(document) || row.interval_ms != 0) continue;
    const uint64_t waited_ms = Positive(row.runqueue_wait_ms);
    if (waited_ms < kLeastWaitMs || waited_ms < CpuMs(row)) return false;
    verdict->evidence.push_back(
        {.kind = Is::kWaitedForCpu, .ns = waited_ms * kNsPerMs, .of_ns = CpuMs(row) * kNsPerMs});
    return waited_ms > 3 * CpuMs(row);
  }
  return false;
}

}  // namespace

namespace {

bool IsMainRunnable(const Document& document) {
  const model::ThreadStack& main = document.thread_stacks->stacks.front();
  return main.state == model::ThreadState::kRunnable;
}

// Where the thread was, if its stack is known.
void AddPlaceOf(const index::DumpIndex& index, const model::ThreadRow& row, Verdict* verdict) {
  const std::vector<model::ThreadStack>& stacks = index.document().thread_stacks->stacks;
  const auto stack = std::ranges::find(stacks, row.tid, &model::ThreadStack::tid);
  if (stack == stacks.end() || stack->frames.empty()) return;
  const Waiter thread = WaiterOf(index, *stack);
  verdict->evidence.push_back(
      {.kind = Is::kChainAt,
       .name = thread.thread,
       .other = thread.own_frame.empty() ? thread.stack.front() : thread.own_frame,
       .count = row.tid});
}

}  // namespace

void AddSystemReport(const index::DumpIndex& index, Verdict* verdict) {
  if (!index.IsOneLook()) return;
  const Document& document = index.document();
  const int64_t swapper =
      NumberOf(document, context::kMemory, context::kSwapperPermille).value_or(0);
  const int64_t waits =
      NumberOf(document, context::kCpu, context::kSystemIowaitPermille).value_or(0);
  const auto total = NumberOf(document, context::kCpu, context::kSystemBusyPermille);
  const int64_t busy = total.value_or(0);
  const bool has_free_cpu = total && *total + waits < kFreePermille;
  if (swapper >= kNotableSwapperPermille)
    verdict->evidence.push_back({.kind = Is::kSwapper, .count = Positive(swapper)});
  if (waits >= kNotableWaitPermille)
    verdict->evidence.push_back({.kind = Is::kDiskWait, .count = Positive(waits)});
  if (busy >= kBusyPermille)
    verdict->evidence.push_back({.kind = Is::kSystemBusy,
                                 .name = TextOf(document, context::kCpu, context::kBusiestOther),
                                 .count = Positive(busy)});
  const bool is_starved = AddWaits(document, verdict);
  const auto own = NumberOf(document, context::kCpu, context::kProcessBusyPermille);
  const bool is_crowded = verdict->kind == Kind::kMethod && busy >= kBusyPermille && own &&
                          *own < kLittleOwnPermille && IsMainRunnable(document);
  const model::ThreadRow* rival = nullptr;
  uint64_t main_ms = 0;
  for (const model::ThreadRow& row : RowsOf(document)) {
    if (row.interval_ms < kLeastIntervalMs) continue;
    if (row.tid == MainTid(document))
      main_ms = CpuMs(row);
    else if (!IsOfRuntime(row.name) && (rival == nullptr || CpuMs(row) > CpuMs(*rival)))
      rival = &row;
  }
  const bool has_rival =
      rival != nullptr && CpuMs(*rival) * 5 >= rival->interval_ms * 2 && CpuMs(*rival) > main_ms;
  if (has_rival) {
    verdict->evidence.push_back(RivalEvidence(*rival, rival->interval_ms));
    AddPlaceOf(index, *rival, verdict);
    if (has_free_cpu)
      verdict->evidence.push_back({.kind = Is::kSystemBusy, .count = Positive(busy)});
  }
  const bool is_idle = verdict->kind == Kind::kIdle;
  if (!is_idle && verdict->kind != Kind::kMethod) return;
  const bool is_short = swapper >= kHighSwapperPermille ||
                        (swapper >= kNotableSwapperPermille && waits >= kNotableWaitPermille);
  if (is_short) {
    verdict->kind = Kind::kShortOfMemory;
  } else if (has_rival && !(is_idle && has_free_cpu)) {
    verdict->kind = Kind::kStarved;
    verdict->threads = {index::Truncated(rival->name, 60)};
    verdict->is_rival_known = true;
  } else if (is_starved || is_crowded) {
    verdict->kind = Kind::kStarved;
  } else {
    return;
  }
  // Where main was comes first: the headline names something else.
  if (verdict->culprit)
    verdict->evidence.insert(
        verdict->evidence.begin(),
        {.kind = Is::kMainRan, .name = verdict->culprit->method, .other = verdict->culprit->place});
  else if (is_idle)
    verdict->evidence.insert(verdict->evidence.begin(),
                             {.kind = Is::kMainAt, .name = "its Looper, waiting for messages"});
}

void AddCollections(const Document& document, Verdict* verdict) {
  const auto collections = NumberOf(document, context::kGc, context::kBlockingCollections);
  if (collections)
    verdict->evidence.push_back(
        {.kind = Is::kCollections,
         .ns = Positive(NumberOf(document, context::kGc, context::kBlockingTimeNs)),
         .count = Positive(collections)});
}

}  // namespace stillframe::judge
