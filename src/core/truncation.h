// SPDX-License-Identifier: Apache-2.0
// Why a stack, or a fragment of it, is incomplete: kept with the stack, shown in a marker frame,
// and counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include <stillframe/counters.h>

namespace stillframe::core {

enum class Truncation : uint8_t {
  kNone = 0,
  kDepthLimit,         // deeper than the sink: middle or outermost frames are missing
  kUnreadable,         // a guarded load faulted
  kBadQuickFrame,      // not a method, misaligned, or outside the stack
  kUnknownQuickFrame,  // a quick frame of unknown size
  kNoFrames,           // the runtime was between two fragments, or no managed code ran
  kBadMethod,          // found when names are resolved: the pointer is not, or no longer, a method
  kUnknownCode,        // a return address or the interrupted pc is in unknown code
  kNoRegisters,        // running managed code, walked from another thread
  kBadFragment,        // the link to the next fragment is not above this one on the stack
  kNoSignal,           // no signal came while the thread ran: that time is unknown
  kCount,
};

struct TruncationRow {
  Truncation truncation;
  const char* name;  // of the marker frame
  Counter counter;   // kCount: none
};

inline constexpr TruncationRow kTruncationRows[] = {
    {Truncation::kNone, "none", Counter::kCount},
    {Truncation::kDepthLimit, "deeper than the limit", Counter::kCutDeeperThanTheLimit},
    {Truncation::kUnreadable, "unreadable memory", Counter::kCutUnreadableMemory},
    {Truncation::kBadQuickFrame, "not a quick frame", Counter::kCutNotAQuickFrame},
    {Truncation::kUnknownQuickFrame, "quick frame of unknown size",
     Counter::kCutQuickFrameOfUnknownSize},
    {Truncation::kNoFrames, "no managed frames", Counter::kCutNoManagedFrames},
    {Truncation::kBadMethod, "not a method", Counter::kCutNotAMethod},
    {Truncation::kUnknownCode, "code that is not known", Counter::kCutCodeThatIsNotKnown},
    {Truncation::kNoRegisters, "running, seen from another thread",
     Counter::kCutRunningSeenFromAnotherThread},
    {Truncation::kBadFragment, "not a fragment of the stack", Counter::kCutNotAFragmentOfTheStack},
    {Truncation::kNoSignal, "no signal came", Counter::kCutNoSignalCame},
};

consteval bool IsSoundTruncationTable() {
  size_t at = 0;
  for (const TruncationRow& row : kTruncationRows)
    if (static_cast<size_t>(row.truncation) != at++) return false;
  return at == static_cast<size_t>(Truncation::kCount);
}
static_assert(IsSoundTruncationTable(), "a row for each truncation, in their order");

// Takes any value: frames hold it as a number.
constexpr const char* TruncationName(Truncation truncation) {
  const auto at = static_cast<size_t>(truncation);
  return at < std::size(kTruncationRows) ? kTruncationRows[at].name : "unknown";
}

}  // namespace stillframe::core
