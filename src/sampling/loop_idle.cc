// SPDX-License-Identifier: Apache-2.0
// One walk, between two readings of the clock.
#include "src/sampling/loop_idle.h"

#include "src/core/guarded_memory.h"
#include "src/trace/frame.h"

namespace stillframe::sampling {

LoopIdle::Place LoopIdle::Look(uint64_t now_ns) {
  const uint64_t cpu_ns = core::CpuClockNs(cpu_clock_);
  if (cpu_ns != cpu_ns_) stands_since_ns_ = now_ns;
  cpu_ns_ = cpu_ns;
  return place_ = FindPlace();
}

LoopIdle::Place LoopIdle::FindPlace() const {
  if (setup_.sampler == nullptr || !setup_.queue->is_known() ||
      !core::KeepFaultRecovery().is_in_place)
    return Place::kUnknown;
  // Not known to be a Looper's.
  if (setup_.thread->runtime_thread.load(std::memory_order_acquire) == 0) return Place::kUnknown;
  core::RawFrame frames[2];  // room for a marker of what is missing behind the innermost one
  uint32_t depth = 0;
  core::Truncation truncation = core::Truncation::kNone;
  const uint8_t state = setup_.sampler->WalkStandingStill(frames, 2, &depth, &truncation);
  if (core::CpuClockNs(cpu_clock_) != cpu_ns_) return Place::kElsewhere;  // it runs
  const trace::ThreadState name = setup_.facts->layout->state_name(state);
  if (name == trace::ThreadState::kRunnable) return Place::kElsewhere;  // it waits for a CPU
  if (name == trace::ThreadState::kUnknown || depth == 0 ||
      frames[0].kind == core::RawFrameKind::kTruncated)
    return Place::kUnknown;
  return setup_.queue->IsPoll(frames[0].method) ? Place::kPoll : Place::kElsewhere;
}

}  // namespace stillframe::sampling
