// SPDX-License-Identifier: Apache-2.0
// What each sample of a message stands for: of running by the CPU clock, of waiting by the wall.
//
// Problem: a sample's weight is all time since the one before it, and a thread that sleeps and
// works in turn, each for less than an interval, did both in most of them. Rule: CPU time is the
// running samples', since a timer on that clock took them; idle time that the kernel did not count
// as waiting for a CPU is that of the waiting sample beside it. Surviving risk: up to an interval
// goes to the next method that ran instead of the last one.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "src/model/frame_table.h"
#include "tools/stillframe/index/outside.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

// A sample within the span that is looked at.
struct Slice {
  enum class Kind : uint8_t {
    kRuns,
    kNative,   // runs, or stands still where nobody sees why
    kWaits,    // for what its state says
    kOutside,  // in a call that leaves the process, whose CPU time may be its own
    kOther,
  };
  Kind kind = Kind::kOther;
  judge::Cause cause = judge::Cause::kWork;
  bool is_repeat = false;  // the CPU clock reads what it did at the sample before
  bool is_gap = false;     // nobody had looked for several intervals
  uint64_t inside_us = 0;
  uint64_t frozen_us = 0;  // the process was not run
  uint64_t used_us = 0;    // of the CPU; at most what is left of inside_us
  uint64_t ready_us = 0;   // without a CPU; at most what is idle
  uint64_t own_us = 0;     // as SettleSlices finds: its stack's, by its cause
  uint64_t still_us = 0;   // likewise: of a gap, neither used nor ready, and no wait is beside it

  uint64_t idle_us() const { return inside_us - frozen_us - used_us; }
};

// Gives the slice `used_us` of CPU time. What does not fit was used before it: a sample of the
// timer comes later than its CPU time says.
void GiveUsed(uint64_t used_us, std::span<Slice> up_to_it);

// Deals `ready_us`, the kernel's count, out to where it can have been.
void ShareReady(uint64_t ready_us, std::span<Slice> slices);

// Sets own_us and still_us. Their sum with ready_us and frozen_us is that of inside_us.
void SettleSlices(std::span<Slice> slices);

// Stacks without their recursion, so that one method's time is in one place of a tree.
class StackFolder {
 public:
  StackFolder(const model::FrameTable& frames, const index::OwnCode& own)
      : frames_(frames), own_(own), method_of_frame_(frames.size()) {}

  // An application's method that calls itself, over others or not, stands where it stood first,
  // with what its last call went on to. A library's does so where no method of the application's
  // stands between its calls, as its interceptors do; one of the platform only where it calls
  // itself directly: what applications override stands between its calls. The result holds until
  // the next call.
  std::span<const model::FrameId> Fold(std::span<const model::FrameId> stack);

 private:
  enum class Whose : uint8_t { kOwn, kLibrary, kPlatform };
  struct Method {
    Whose whose;
    uint32_t place;  // in the result, plus one; 0: not in it
  };

  uint32_t MethodOf(model::FrameId id);
  // The method is called again, after what the result has behind `place`.
  bool IsFolded(const Method& method, uint32_t place) const;

  const model::FrameTable& frames_;
  const index::OwnCode& own_;
  std::vector<uint32_t> method_of_frame_;  // plus one; 0: not looked at
  std::map<std::tuple<model::StringId, model::StringId, model::StringId>, uint32_t> ids_;
  std::vector<Method> methods_;
  std::vector<model::FrameId> folded_;
  std::vector<uint32_t> folded_methods_;
};

}  // namespace stillframe::judge
