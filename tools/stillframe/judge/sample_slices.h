// SPDX-License-Identifier: Apache-2.0
// Divides each sample's time into running (by the CPU clock) and waiting (by the wall clock).
//
// Problem: a sample's weight is all time since the previous one. A thread that alternates between
// sleep and work, each shorter than an interval, did both in most samples.
// Rule: CPU time belongs to running samples, because a timer on the CPU clock took them. Idle time
// that the kernel did not count as waiting for a CPU belongs to the nearest waiting sample.
// Remaining risk: up to an interval goes to the next method that ran instead of the last one.
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

// A sample within the judged span.
struct Slice {
  enum class Kind : uint8_t {
    kRuns,
    kNative,   // runs, or is idle for an unrecorded reason
    kWaits,    // for the reason in its state
    kOutside,  // a call out of the process; may use CPU time itself
    kOther,
  };
  Kind kind = Kind::kOther;
  judge::Cause cause = judge::Cause::kWork;
  bool is_repeat = false;  // the CPU clock did not move since the sample before
  bool is_gap = false;     // several intervals since the sample before
  uint64_t inside_us = 0;
  uint64_t frozen_us = 0;  // the process did not run
  uint64_t used_us = 0;    // CPU time; at most inside_us - frozen_us
  uint64_t ready_us = 0;   // waiting for a CPU; at most idle_us()
  uint64_t own_us = 0;     // set by SettleSlices: attributed to the stack, by its cause
  uint64_t still_us = 0;   // set by SettleSlices: idle in a gap, no wait nearby

  uint64_t idle_us() const { return inside_us - frozen_us - used_us; }
};

// Gives the last slice `used_us` of CPU time. The remainder goes to the slices before it, because a
// timer's sample comes later than its CPU time says.
void AttributeCpu(uint64_t used_us, std::span<Slice> up_to_it);

// Attributes `ready_us`, the kernel's count, to the slices in which it can have been.
void ShareReady(uint64_t ready_us, std::span<Slice> slices);

// Sets own_us and still_us. Over all slices, the sum with ready_us and frozen_us is inside_us.
void SettleSlices(std::span<Slice> slices);

// Folds recursion, so that a method's time is in one place of a tree.
class StackFolder {
 public:
  StackFolder(const model::FrameTable& frames, const index::OwnCode& own)
      : frames_(frames), own_(own), method_of_frame_(frames.size()) {}

  // A repeated method replaces its first call, followed by what its last call called. The result is
  // valid until the next call. Which calls are folded:
  // - the application's method: all
  // - a library's: if none of the application's is between them (interceptors)
  // - the platform's: if it calls itself directly; else an override may be between them
  std::span<const model::FrameId> Fold(std::span<const model::FrameId> stack);

 private:
  enum class CodeOwner : uint8_t { kOwn, kLibrary, kPlatform };
  struct Method {
    CodeOwner whose;
    uint32_t place;  // index in folded_ plus one; 0: absent
  };

  uint32_t MethodOf(model::FrameId id);
  // The method at `place` of the result is called again; says whether to fold these calls.
  bool IsFolded(const Method& method, uint32_t place) const;

  const model::FrameTable& frames_;
  const index::OwnCode& own_;
  std::vector<uint32_t> method_of_frame_;  // index in methods_ plus one; 0: unknown
  std::map<std::tuple<model::StringId, model::StringId, model::StringId>, uint32_t> ids_;
  std::vector<Method> methods_;
  std::vector<model::FrameId> folded_;
  std::vector<uint32_t> folded_methods_;
};

}  // namespace stillframe::judge
