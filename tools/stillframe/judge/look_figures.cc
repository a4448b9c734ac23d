// SPDX-License-Identifier: Apache-2.0
// The system's figures beside one look at the main thread, or alone in a log.
#include <algorithm>
#include <array>
#include <span>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/index/outside.h"
#include "tools/stillframe/index/units.h"
#include "tools/stillframe/judge/case.h"
#include "tools/stillframe/judge/context_figures.h"
#include "tools/stillframe/judge/wait_chain.h"

namespace stillframe::judge {

using index::DumpIndex;
using model::Document;

namespace {

// kswapd0's share of one core, and the share of all cores that waits for disks. The second
// article's cases have 0.3 to 3.1 % for kswapd0 where memory was not short.
constexpr int64_t kNotableSwapperPermille = 100;
constexpr int64_t kHighSwapperPermille = 250;
constexpr int64_t kNotableWaitPermille = 200;
constexpr int64_t kHighWaitPermille = 400;
constexpr int64_t kFullStoragePermille = 300;
constexpr int64_t kSomeStoragePermille = 500;
constexpr int64_t kSomeCpuPermille = 400;
constexpr int64_t kBusyPermille = 900;
constexpr int64_t kFreePermille = 700;         // of all CPUs; below, a thread finds a free one
constexpr int64_t kLittleOwnPermille = 50;     // of one CPU
constexpr int64_t kComputingPermille = 600;    // of one CPU: main may compute
constexpr int64_t kBusyOwnPermille = 900;      // of one CPU: a thread computes all the time
constexpr int64_t kBusyMainPermille = 700;     // of one CPU
constexpr int64_t kBusyOtherPermille = 300;    // of one CPU: may be named
constexpr int64_t kHeavyOtherPermille = 2000;  // of one CPU, where the count of CPUs is not known
constexpr int64_t kFullHeapPercent = 95;

struct Figures {
  explicit Figures(const Document& document)
      : memory(PressureOf(document, context::kMemory)),
        storage(PressureOf(document, context::kIo)),
        cpu(PressureOf(document, context::kCpu)),
        swapper(NumberOf(document, context::kMemory, context::kSwapperPermille).value_or(0)),
        disk_wait(NumberOf(document, context::kCpu, context::kSystemIowaitPermille).value_or(0)),
        total(NumberOf(document, context::kCpu, context::kSystemBusyPermille)),
        own(NumberOf(document, context::kCpu, context::kProcessBusyPermille)),
        own_kernel(NumberOf(document, context::kCpu, context::kProcessKernelPermille).value_or(0)),
        major_faults(NumberOf(document, context::kMemory, context::kMajorFaults).value_or(0)),
        busiest(NumberOf(document, context::kCpu, context::kBusiestOtherPermille).value_or(0)),
        own_other(NumberOf(document, context::kCpu, context::kOwnOtherPermille).value_or(0)) {}

  bool HasMemoryPressure() const {
    return memory.full_permille >= kFullPressurePermille ||
           memory.some_permille >= kSomePressurePermille;
  }
  bool HasStoragePressure() const {
    return storage.full_permille >= kFullStoragePermille ||
           storage.some_permille >= kSomeStoragePermille;
  }
  bool IsMemoryShort() const {
    return HasMemoryPressure() || swapper >= kHighSwapperPermille ||
           (swapper >= kNotableSwapperPermille && disk_wait >= kNotableWaitPermille);
  }
  bool IsStorageSlow() const { return HasStoragePressure() || disk_wait >= kHighWaitPermille; }
  bool IsBusy() const { return total.value_or(0) >= kBusyPermille; }
  bool HasFreeCpu() const { return total && *total + disk_wait < kFreePermille; }
  bool HasCpuPressure() const { return cpu.some_permille >= kSomeCpuPermille; }

  Pressure memory;
  Pressure storage;
  Pressure cpu;
  int64_t swapper;
  int64_t disk_wait;
  std::optional<int64_t> total;  // of all CPUs, without waits for disks
  std::optional<int64_t> own;
  int64_t own_kernel;
  int64_t major_faults;
  int64_t busiest;    // the busiest process of others, of one CPU
  int64_t own_other;  // the same app's busiest other process, of one CPU
};

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

evidence::SystemBusy BusyEvidence(const Document& document, const Figures& figures) {
  return {.permille = Positive(figures.total),
          .process = TextOf(document, context::kCpu, context::kBusiestOther)};
}

// Only figures that are high.
void AddFigures(const Document& document, const Figures& figures, Verdict* verdict) {
  const auto add_if = [verdict](bool is_high, Evidence fact) {
    if (is_high) verdict->evidence.push_back(std::move(fact));
  };
  add_if(figures.HasMemoryPressure(), evidence::MemoryPressure{figures.memory});
  add_if(figures.HasStoragePressure(), evidence::StoragePressure{figures.storage});
  add_if(figures.HasCpuPressure(), evidence::CpuPressure{figures.cpu.some_permille});
  add_if(figures.swapper >= kNotableSwapperPermille, evidence::Swapper{Positive(figures.swapper)});
  add_if(figures.disk_wait >= kNotableWaitPermille,
         evidence::DiskWait{Positive(figures.disk_wait)});
  add_if(figures.major_faults >= kManyMajorFaults,
         evidence::MajorFaults{Positive(figures.major_faults)});
  add_if(figures.IsBusy(), BusyEvidence(document, figures));
  const int64_t used =
      NumberOf(document, context::kMemory, context::kJavaHeapUsedBytes).value_or(0);
  const int64_t most = NumberOf(document, context::kMemory, context::kJavaHeapMaxBytes).value_or(0);
  add_if(most > 0 && used / kFullHeapPercent >= most / 100,
         evidence::FullHeap{{.bytes = Positive(used), .of_bytes = Positive(most)}});
}

// Adds that the main thread waited for CPUs longer than it ran, since it began. True if it hardly
// ran.
bool AddWaits(const Document& document, Verdict* verdict) {
  constexpr uint64_t kLeastWaitMs = 2'000;
  for (const model::ThreadRow& row : RowsOf(document)) {
    if (row.tid != MainTid(document) || row.interval_ms != 0) continue;
    const uint64_t waited_ms = Positive(row.runqueue_wait_ms);
    if (waited_ms < kLeastWaitMs || waited_ms < CpuMs(row)) return false;
    verdict->evidence.push_back(evidence::WaitedForCpu{.waited_ns = waited_ms * index::kNsPerMs,
                                                       .ran_ns = CpuMs(row) * index::kNsPerMs});
    return waited_ms > 3 * CpuMs(row);
  }
  return false;
}

const model::ThreadStack& MainStack(const Document& document) {
  return document.thread_stacks->stacks.front();
}

bool IsMainRunnable(const Document& document) {
  return MainStack(document).state == model::ThreadState::kRunnable;
}

// 'R', 'S', 'D' and the like; 0: not known.
char KernelStateOfMain(const Document& document) {
  const auto rows = RowsOf(document);
  const auto row = std::ranges::find(rows, MainTid(document), &model::ThreadRow::tid);
  return row == rows.end() ? '\0' : row->state;
}

// Where the thread was, if its stack is known.
void AddPlaceOf(const DumpIndex& index, const model::ThreadRow& row, Verdict* verdict) {
  const std::vector<model::ThreadStack>& stacks = index.document().thread_stacks->stacks;
  const auto stack = std::ranges::find(stacks, row.tid, &model::ThreadStack::tid);
  if (stack == stacks.end() || stack->frames.empty()) return;
  const Waiter thread = WaiterOf(index, *stack);
  verdict->evidence.push_back(
      evidence::ChainAt{{thread.thread, row.tid},
                        thread.own_frame.empty() ? thread.stack.front() : thread.own_frame});
}

// At least 40 % of one CPU.
bool IsMuch(const model::ThreadRow& row) { return CpuMs(row) * 5 >= row.interval_ms * 2; }

// The thread beside main with the most CPU time, if that is much; else null. `*main_permille`:
// main's share of one CPU.
const model::ThreadRow* RivalOf(const Document& document, int64_t* main_permille) {
  const model::ThreadRow* rival = nullptr;
  uint64_t main_ms = 0;
  for (const model::ThreadRow& row : RowsOf(document)) {
    if (row.interval_ms < kLeastIntervalMs) continue;
    if (row.tid == MainTid(document)) {
      main_ms = CpuMs(row);
      *main_permille = static_cast<int64_t>(main_ms * 1000 / row.interval_ms);
    } else if (!IsOfRuntime(row.name) && (rival == nullptr || CpuMs(row) > CpuMs(*rival))) {
      rival = &row;
    }
  }
  return rival != nullptr && IsMuch(*rival) && CpuMs(*rival) > main_ms ? rival : nullptr;
}

// In native code the kernel's state alone said that main waited for a device: memory pages, too.
bool IsStuckWithoutCall(const DumpIndex& index) {
  const model::ThreadStack& main = MainStack(index.document());
  return main.native.empty() && std::ranges::none_of(main.frames, [&](model::FrameId id) {
           return index::WaitedFor(index.document().frames, id) != index::Outside::kNothing;
         });
}

// Names the rival, and the threads of its pool that were as busy: "pool-5-thread-1", "-2".
void NameRivals(const Document& document, const model::ThreadRow& rival, Verdict* verdict) {
  const auto pool_of = [](const model::ThreadRow& row) {
    const std::string_view name = row.name;
    return name.substr(0, name.find_last_not_of("0123456789") + 1);
  };
  verdict->threads = {index::Truncated(rival.name, 60)};
  for (const model::ThreadRow& row : RowsOf(document))
    if (&row != &rival && row.tid != MainTid(document) && row.interval_ms >= kLeastIntervalMs &&
        IsMuch(row) && !pool_of(row).empty() && pool_of(row) == pool_of(rival))
      verdict->threads.push_back(index::Truncated(row.name, 60));
  verdict->is_rival_known = true;
}

void BlameRival(const Document& document, const model::ThreadRow& rival, Verdict* verdict) {
  verdict->kind = Kind::kStarved;
  NameRivals(document, rival, verdict);
}

void BlameOwnProcess(const Document& document, Verdict* verdict) {
  verdict->kind = Kind::kStarved;
  verdict->process = TextOf(document, context::kCpu, context::kOwnOther);
  verdict->cause = Cause::kWork;
}

}  // namespace

void AddSystemReport(const DumpIndex& index, Verdict* verdict) {
  if (!index.IsOneLook()) return;
  const Document& document = index.document();
  const Figures figures(document);
  AddFigures(document, figures, verdict);
  if (verdict->kind == Kind::kRuntimeWait) AddCollections(document, verdict);
  const bool is_stuck = KernelStateOfMain(document) == 'D';
  const bool is_device_slow = figures.IsMemoryShort() || figures.IsStorageSlow();
  if (is_stuck && is_device_slow) verdict->evidence.push_back(evidence::StuckInKernel());
  const bool is_starved = AddWaits(document, verdict);
  const bool is_main_ready = verdict->kind == Kind::kMethod && IsMainRunnable(document);
  const bool is_crowded =
      is_main_ready && figures.own &&
      ((figures.IsBusy() && *figures.own < kLittleOwnPermille) ||
       (figures.HasCpuPressure() && !is_stuck && *figures.own < kSomePressurePermille));
  int64_t main_permille = 0;
  const model::ThreadRow* rival = RivalOf(document, &main_permille);
  if (rival != nullptr) {
    verdict->evidence.push_back(RivalEvidence(*rival, rival->interval_ms));
    AddPlaceOf(index, *rival, verdict);
    if (figures.HasFreeCpu())
      verdict->evidence.push_back(evidence::SystemBusy{.permille = Positive(figures.total)});
  }
  const bool is_idle = verdict->kind == Kind::kIdle;
  const bool is_unknown_device =
      verdict->kind == Kind::kInputOutput && is_stuck && IsStuckWithoutCall(index);
  if (!is_idle && verdict->kind != Kind::kMethod && !is_unknown_device) return;
  const bool is_computing = !is_stuck && !is_idle && IsMainRunnable(document) &&
                            figures.own.value_or(0) >= kComputingPermille;
  verdict->is_stuck = is_stuck;
  if (figures.IsMemoryShort() && !is_computing) {
    verdict->kind = Kind::kShortOfMemory;
    verdict->is_storage_slow = figures.IsStorageSlow();
  } else if (figures.IsStorageSlow() && is_stuck) {
    verdict->kind = Kind::kInputOutput;
    verdict->cause = Cause::kInputOutput;
    verdict->is_storage_slow = true;
  } else if (rival != nullptr && !(is_idle && figures.HasFreeCpu())) {
    BlameRival(document, *rival, verdict);
  } else if ((is_starved || is_crowded) && figures.own_other >= kBusyOtherPermille &&
             figures.own_other > figures.busiest) {
    BlameOwnProcess(document, verdict);
  } else if (is_starved || is_crowded) {
    verdict->kind = Kind::kStarved;
  } else {
    return;
  }
  // Where main was comes first: the headline names something else.
  if (verdict->culprit)
    verdict->evidence.insert(verdict->evidence.begin(),
                             evidence::MainRan{verdict->culprit->method, verdict->culprit->place});
  else if (is_idle)
    verdict->evidence.insert(verdict->evidence.begin(), evidence::MainAt());
}

bool ExplainLog(const DumpIndex& index, Verdict* verdict) {
  const Document& document = index.document();
  if (!index.IsOneLook() || document.identity.sampler_state != index::kImportedLog) return false;
  const Figures figures(document);
  verdict->is_at_dump = true;
  verdict->is_log = true;
  Limit(Confidence::kLow, ConfidenceReason::kNoStacks, verdict);
  if (figures.own)
    verdict->evidence.push_back(evidence::OwnShare{
        .permille = Positive(figures.own), .kernel_permille = Positive(figures.own_kernel)});
  AddFigures(document, figures, verdict);
  if (!figures.IsBusy() && figures.total)
    verdict->evidence.push_back(BusyEvidence(document, figures));
  else if (!figures.IsBusy() && figures.busiest > 0)
    verdict->evidence.push_back(
        evidence::BusiestOther{.process = TextOf(document, context::kCpu, context::kBusiestOther),
                               .permille = Positive(figures.busiest)});
  const auto load = NumberOf(document, context::kCpu, context::kLoad1Milli);
  const auto long_load = NumberOf(document, context::kCpu, context::kLoad15Milli);
  if (load && long_load)
    verdict->evidence.push_back(evidence::Load{
        .load_1min_milli = Positive(load),
        .load_15min_milli = Positive(long_load),
        .cpus = Positive(NumberOf(document, context::kCpu, context::kCoresEstimate))});
  int64_t main_permille = 0;
  const model::ThreadRow* rival = RivalOf(document, &main_permille);
  if (rival != nullptr) verdict->evidence.push_back(RivalEvidence(*rival, rival->interval_ms));
  const int64_t own = figures.own.value_or(0);
  const bool has_known_crowd = figures.IsBusy() || figures.HasCpuPressure();
  const bool may_be_crowd = !figures.total && own < kFullPressurePermille;
  const auto is_crowd = [&](int64_t permille, int64_t beside) {
    return has_known_crowd ? permille > beside && permille >= kBusyOtherPermille
                           : may_be_crowd && permille >= kHeavyOtherPermille;
  };
  const bool is_overloaded = has_known_crowd && figures.own && own < kBusyOtherPermille;
  if (figures.IsMemoryShort()) {
    verdict->kind = Kind::kShortOfMemory;
    verdict->is_storage_slow = figures.IsStorageSlow();
  } else if (figures.IsStorageSlow()) {
    verdict->kind = Kind::kInputOutput;
    verdict->cause = Cause::kInputOutput;
    verdict->is_storage_slow = true;
  } else if (is_crowd(figures.busiest, own + figures.own_other)) {
    verdict->kind = Kind::kStarved;
    verdict->process = TextOf(document, context::kCpu, context::kBusiestOther);
  } else if (is_crowd(figures.own_other, own)) {
    BlameOwnProcess(document, verdict);
  } else if (rival != nullptr && !figures.HasFreeCpu()) {
    BlameRival(document, *rival, verdict);
  } else if (is_overloaded) {
    verdict->kind = Kind::kStarved;
  } else {
    verdict->kind = Kind::kNotEnoughData;
    // On a phone with few CPUs, less than one is most of them.
    const int64_t busy_permille = figures.IsBusy() ? kComputingPermille : kBusyOwnPermille;
    verdict->cause = main_permille >= kBusyMainPermille || own >= busy_permille ? Cause::kWork
                     : !figures.own                                             ? Cause::kUnseen
                     : own < kFullPressurePermille                              ? Cause::kWait
                                                                                : Cause::kOutside;
    verdict->is_main_busy = main_permille >= kBusyMainPermille;
    if (rival != nullptr && !verdict->is_main_busy) NameRivals(document, *rival, verdict);
  }
  return true;
}

}  // namespace stillframe::judge
