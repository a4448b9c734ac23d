// SPDX-License-Identifier: Apache-2.0
// Table of the profiler's own counters: one row each, as dumps have them. Names are API.
//
// A new counter is a row here and its increment, Counters::Add of src/core/counters.h.
// Context: any thread
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stillframe {

enum class Counter : uint8_t {
  kMessages,
  kSamplesBySignal,
  kSamplesWithoutSignal,
  kSamplesRepeated,
  kSamplesWithoutCpu,
  kSamplesMissed,
  kSamplesCut,
  kWalksThrownAway,
  kHandlerTimeNs,
  kHandlerFaults,
  kCollectorCpuTimeNs,
  kLastDumpTimeNs,
  kSigquits,
  kSigquitsMerged,
  kDumpsRemoved,
  kMethodsNotResolved,
  kFrameTableOverflows,
  kFrameTableSweeps,
  kFrameTableEvictions,
  kTreesLostForNames,
  kFrameTableBytes,
  kTreeBytes,
  kRingBytes,
  kSlowMessagesLost,
  kFramesLost,
  kLoopers,
  kLoopersRefused,
  kHistoryBytes,
  kHistoryNamesLost,
  kRecorderBytes,
  kTapReturns,
  kJanks,
  kJanksLost,
  kJankRecordsWritten,
  kJankRecordsFailed,
  kJankRecordsHeld,
  kCpuTimerInInterrupt,
  kGuardDeaths,
  kGuardDeathsInOurCode,
  kGuardKills,
  kGuardTimesOff,
  // In the order of health::Watchdog.
  kWatchdogHandlerTime,
  kWatchdogCollectorLag,
  kWatchdogRingOverflow,
  kWatchdogMemory,
  kWatchdogDumpTime,
  kIntervalDoublings,
  kCpuOfTheDayMs,
  kLiveDropped,
  kDropsRingFull,
  kDropsReentered,
  kDropsForeignSignal,
  kDropsStopped,
  kDropsHandlerTooLong,
  kDropsSmallStack,
  kDropsNoSlowMessage,
  kNativeCopies,
  kNativeCopiesNoSlot,
  kNativeCopiesOtherStack,
  kNativeCopiesUnreadable,
  kNativeCopiesThreadUnread,
  kNativeLibunwindFrames,
  kCutDeeperThanTheLimit,
  kCutUnreadableMemory,
  kCutNotAQuickFrame,
  kCutQuickFrameOfUnknownSize,
  kCutNoManagedFrames,
  kCutNotAMethod,
  kCutCodeThatIsNotKnown,
  kCutRunningSeenFromAnotherThread,
  kCutNotAFragmentOfTheStack,
  kCutNoSignalCame,
  kCount,
};

struct CounterRow {
  Counter counter;
  const char* name;            // ends with its unit, if any
  const char* meaning;         // one phrase
  const char* only = nullptr;  // when dumps have it; null: always
};

inline constexpr const char* kOnlyNative = "`native`";
inline constexpr const char* kOnlyJanks = "`janks`";
inline constexpr const char* kOnlyGuard = "`dump_dir`";

inline constexpr CounterRow kCounterRows[] = {
    {Counter::kMessages, "messages", "Messages of the main Looper that began"},
    {Counter::kSamplesBySignal, "samples_by_signal", "Samples that the SIGPROF handler took"},
    {Counter::kSamplesWithoutSignal, "samples_without_signal",
     "Stacks that the collector walked while the thread was blocked"},
    {Counter::kSamplesRepeated, "samples_repeated",
     "Samples that repeat the stack before, since the thread had not run"},
    {Counter::kSamplesWithoutCpu, "samples_without_cpu",
     "Samples while the thread was ready to run and had no CPU"},
    {Counter::kSamplesMissed, "samples_missed", "Samples whose signal did not arrive"},
    {Counter::kSamplesCut, "samples_cut",
     "Samples whose stack is not whole; `cut_` counts say why"},
    {Counter::kWalksThrownAway, "walks_thrown_away",
     "Walks without a signal that were discarded, because the thread ran meanwhile"},
    {Counter::kHandlerTimeNs, "handler_time_ns", "Time in the SIGPROF handler"},
    {Counter::kHandlerFaults, "handler_faults",
     "Faults in the handler, each of which cost one sample; the third ends sampling"},
    {Counter::kCollectorCpuTimeNs, "collector_cpu_time_ns", "CPU time of the collector thread"},
    {Counter::kLastDumpTimeNs, "last_dump_time_ns", "Time that the dump before this one took"},
    {Counter::kSigquits, "sigquits", "SIGQUITs that reached this process"},
    {Counter::kSigquitsMerged, "sigquits_merged", "SIGQUITs that an earlier dump answered"},
    {Counter::kDumpsRemoved, "dumps_removed", "Old dumps that were deleted; the setting `dumps`"},
    {Counter::kMethodsNotResolved, "methods_not_resolved", "Frames whose method has no name"},
    {Counter::kFrameTableOverflows, "frame_table_overflows",
     "Names that did not fit the table of names"},
    {Counter::kFrameTableSweeps, "frame_table_sweeps", "Times that unused names were removed"},
    {Counter::kFrameTableEvictions, "frame_table_evictions", "Names that were removed"},
    {Counter::kTreesLostForNames, "trees_lost_for_names",
     "Trees that were dropped to make room for names"},
    {Counter::kFrameTableBytes, "frame_table_bytes", "Memory of the table of names"},
    {Counter::kTreeBytes, "tree_bytes", "Memory of the trees"},
    {Counter::kRingBytes, "ring_bytes", "Memory of the ring between handler and collector"},
    {Counter::kSlowMessagesLost, "slow_messages_lost",
     "Ended messages that the collector was too late to read"},
    {Counter::kFramesLost, "frames_lost",
     "Frames on the screen that the collector was too late to read"},
    {Counter::kLoopers, "loopers", "Threads with a Looper that are watched"},
    {Counter::kLoopersRefused, "loopers_refused", "Loopers beyond the 16 that can be watched"},
    {Counter::kHistoryBytes, "history_bytes", "Memory of the message history"},
    {Counter::kHistoryNamesLost, "history_names_lost",
     "Names of the history that were removed to make room"},
    {Counter::kRecorderBytes, "recorder_bytes", "Memory of the recorders"},
    {Counter::kTapReturns, "tap_returns",
     "Times that the tap was installed again, around another component's"},
    {Counter::kJanks, "janks", "Long messages that were seen", kOnlyJanks},
    {Counter::kJanksLost, "janks_lost", "Long messages for which there was no place", kOnlyJanks},
    {Counter::kJankRecordsWritten, "jank_records_written", "Records written, again ones included",
     kOnlyJanks},
    {Counter::kJankRecordsFailed, "jank_records_failed", "Records that could not be written",
     kOnlyJanks},
    {Counter::kJankRecordsHeld, "jank_records_held",
     "Times that a record had to wait for the day's bytes", kOnlyJanks},
    {Counter::kCpuTimerInInterrupt, "cpu_timer_in_interrupt",
     "1: this kernel expires CPU timers in the interrupt, 0: when the thread enters the kernel"},
    {Counter::kGuardDeaths, "guard_deaths", "Deaths of earlier processes soon after sampling began",
     kOnlyGuard},
    {Counter::kGuardDeathsInOurCode, "guard_deaths_in_our_code", "Of those, in our code",
     kOnlyGuard},
    {Counter::kGuardKills, "guard_kills", "Earlier processes that were killed", kOnlyGuard},
    {Counter::kGuardTimesOff, "guard_times_off", "Times that the guard switched sampling off",
     kOnlyGuard},
    {Counter::kWatchdogHandlerTime, "watchdog_handler_time",
     "Times that the handler took more than `watchdog_handler_percent`"},
    {Counter::kWatchdogCollectorLag, "watchdog_collector_lag",
     "Times that the collector was later than `watchdog_lag_ms`"},
    {Counter::kWatchdogRingOverflow, "watchdog_ring_overflow",
     "Times that the ring lost more than `watchdog_lost_percent`"},
    {Counter::kWatchdogMemory, "watchdog_memory",
     "Times that memory was above `watchdog_memory_kib`"},
    {Counter::kWatchdogDumpTime, "watchdog_dump_time",
     "Times that a dump took longer than `watchdog_dump_ms`"},
    {Counter::kIntervalDoublings, "interval_doublings",
     "How often the watchdogs have doubled the interval between samples"},
    {Counter::kCpuOfTheDayMs, "cpu_of_the_day_ms",
     "CPU time of the profiler today, in all processes", "`cpu_s_per_day`"},
    {Counter::kLiveDropped, "live_dropped", "Packets that `stillframe live` did not take in time",
     "`live`"},
    {Counter::kDropsRingFull, "drops_ring_full",
     "Samples dropped: the collector did not drain the ring in time"},
    {Counter::kDropsReentered, "drops_reentered",
     "Samples dropped: a second SIGPROF of ours while the handler ran"},
    {Counter::kDropsForeignSignal, "drops_foreign_signal",
     "No loss: SIGPROFs of other components, forwarded to the handler before ours"},
    {Counter::kDropsStopped, "drops_stopped", "Samples dropped: sampling was stopped"},
    {Counter::kDropsHandlerTooLong, "drops_handler_too_long",
     "Samples dropped: the one before took over half of the interval; lengthen `interval_us`"},
    {Counter::kDropsSmallStack, "drops_small_stack",
     "Samples dropped: the main thread's alternate signal stack had too little room"},
    {Counter::kDropsNoSlowMessage, "drops_no_slow_message",
     "No loss: the message ended, or the timer was set again, before the handler ran"},
    {Counter::kNativeCopies, "native_copies", "Stacks copied for native frames", kOnlyNative},
    {Counter::kNativeCopiesNoSlot, "native_copies_no_slot",
     "Not copied: the collector was late; the sample has its managed frames", kOnlyNative},
    {Counter::kNativeCopiesOtherStack, "native_copies_other_stack",
     "Not copied: the thread was on another stack than its own", kOnlyNative},
    {Counter::kNativeCopiesUnreadable, "native_copies_unreadable", "Copied in part: a load faulted",
     kOnlyNative},
    {Counter::kNativeCopiesThreadUnread, "native_copies_thread_unread",
     "Not copied: the runtime's thread could not be read", kOnlyNative},
    {Counter::kNativeLibunwindFrames, "native_libunwind_frames", "Frames that libunwind found",
     "`native=libunwind`"},
    {Counter::kCutDeeperThanTheLimit, "cut_deeper_than_the_limit",
     "Stacks cut: more frames than `max_depth`; innermost and outermost are kept"},
    {Counter::kCutUnreadableMemory, "cut_unreadable_memory", "Stacks cut: a guarded load faulted"},
    {Counter::kCutNotAQuickFrame, "cut_not_a_quick_frame",
     "Stacks cut: the frame fits no compiled method"},
    {Counter::kCutQuickFrameOfUnknownSize, "cut_quick_frame_of_unknown_size",
     "Stacks cut: compiled code or a stub without a known frame size"},
    {Counter::kCutNoManagedFrames, "cut_no_managed_frames",
     "Stacks cut: the thread has managed code, but no frame was found"},
    {Counter::kCutNotAMethod, "cut_not_a_method", "Stacks cut: a frame's method is not a method"},
    {Counter::kCutCodeThatIsNotKnown, "cut_code_that_is_not_known",
     "Stacks cut: running code that belongs to no known method or library"},
    {Counter::kCutRunningSeenFromAnotherThread, "cut_running_seen_from_another_thread",
     "Stacks cut: the thread runs managed code, which only its own signal can walk"},
    {Counter::kCutNotAFragmentOfTheStack, "cut_not_a_fragment_of_the_stack",
     "Stacks cut: ART's chain of fragments leads off the stack"},
    {Counter::kCutNoSignalCame, "cut_no_signal_came", "Samples without a stack: no signal arrived"},
};

consteval bool IsSoundCounterTable() {
  size_t at = 0;
  for (const CounterRow& row : kCounterRows)
    if (static_cast<size_t>(row.counter) != at++) return false;
  return at == static_cast<size_t>(Counter::kCount);
}
static_assert(IsSoundCounterTable(), "a row for each counter, in their order");

// Null: this version has no counter of that name.
constexpr const CounterRow* FindCounter(std::string_view name) {
  for (const CounterRow& row : kCounterRows)
    if (name == row.name) return &row;
  return nullptr;
}

}  // namespace stillframe
