// SPDX-License-Identifier: Apache-2.0
#include "src/sampling/signal_delivery.h"

#include <signal.h>
#include <stdio.h>

#include "src/core/guarded_memory.h"
#include "src/os/log.h"
#include "src/os/proc.h"
#include "src/os/signal_action.h"

namespace stillframe::sampling {
namespace {

// A signal comes at the kernel tick after its interval; twice the maximum delay.
constexpr uint64_t kTicksNs = 40'000'000;
// Maximum delay if the thread is in the kernel, or its CPU does not run.
constexpr uint64_t kMaxLateNs = 1'000'000'000;
constexpr uint64_t kAliveNs = 1'000'000'000;
constexpr uint32_t kMostTimesTakenAway = 3;

}  // namespace

void SignalDelivery::Start(core::Sampler* sampler, int32_t tid) {
  sampler_ = sampler;
  tid_ = tid;
}

void SignalDelivery::Say(const std::string& trouble) {
  if (trouble == trouble_) return;
  trouble_ = trouble;
  os::Log("%s",
          trouble.empty() ? "signals arrive again: running code is sampled" : trouble.c_str());
}

void SignalDelivery::ExplainStop() {
  if (sampler_->is_broken())
    Say("sampling has ended: its signal handler has faulted three times in this process");
  const core::Sampler::SmallStack small = sampler_->small_stack();
  if (small.bytes == 0) return;
  char text[160];
  snprintf(text, sizeof text,
           "sampling has ended: the main thread's alternate signal stack of %u bytes is too small; "
           "the kernel's frame takes %u of them",
           small.bytes, small.frame_bytes);
  Say(text);
}

void SignalDelivery::LookAtFaultHandlers() {
  const core::FaultRecovery recovery = core::KeepFaultRecovery();
  if (const uintptr_t overtaken = core::TakeOvertaken(); overtaken != 0)
    os::Log("%s installed a handler for faults; ours now runs before it and forwards to it",
            os::LibraryOf(overtaken).c_str());
  if (recovery.is_in_place) return;
  is_unsafe_ = true;
  sampler_->Stop();
  Say("sampling has ended: " + os::LibraryOf(recovery.foreign) +
      " installed a handler for SIGSEGV or SIGBUS past the signal chain, and bad reads could not "
      "be recovered from");
}

void SignalDelivery::LookAtHandler() {
  foreign_ = sampler_->ForeignHandler();
  if (foreign_ != core::Sampler::kNoHandler) return;
  // The action was reset to the default, with which the next signal would kill the process.
  sampler_->InstallAgain();
  foreign_ = 0;
  os::Log("the handler for SIGPROF was taken away; it is installed again");
  if (++taken_away_ == kMostTimesTakenAway)
    Say("running code is not sampled: the handler for SIGPROF was taken away again and again");
}

bool SignalDelivery::ExplainSilence(uint64_t ran_ns) {
  if (foreign_ != 0) {
    Say("running code is not sampled: " + os::LibraryOf(foreign_) +
        " installed its own handler for SIGPROF over ours and does not hand signals on");
  } else if (os::ThreadBlocks(tid_, SIGPROF)) {
    Say("running code is not sampled: the main thread blocks SIGPROF");
  } else if (ran_ns > kMaxLateNs) {
    Say("running code is not sampled: SIGPROF does not arrive");
  } else {
    return false;
  }
  return true;
}

bool SignalDelivery::Check(uint64_t now_ns, uint64_t cpu_ns, uint64_t interval_ns, bool is_armed) {
  if (!is_armed || now_ns - looked_ns_ >= kLookNs) {
    looked_ns_ = now_ns;
    LookAtFaultHandlers();
  }
  LookAtHandler();
  // stillframe_start may have resumed the sampler since.
  if (is_unsafe_ && sampler_->enabled()) sampler_->Stop();
  if (is_unsafe_ || has_ended_) return false;
  if (taken_away_ >= kMostTimesTakenAway) {
    is_silent_ = true;
    return false;
  }
  const uint64_t arrivals = sampler_->arrivals();
  if (arrivals != arrivals_ || (is_silent_ && !is_armed && foreign_ == 0)) {
    if (is_silent_) Say("");
    is_silent_ = false;
  }
  if (arrivals != arrivals_ || !is_armed) {
    arrivals_ = arrivals;
    arrival_cpu_ns_ = cpu_ns;
  } else if (!is_silent_ && cpu_ns - arrival_cpu_ns_ > 2 * interval_ns + kTicksNs) {
    is_silent_ = ExplainSilence(cpu_ns - arrival_cpu_ns_);
  }
  return !(is_silent_ && foreign_ != 0);
}

bool SignalDelivery::HasEnded(uint64_t now_ns) {
  if (now_ns - looked_alive_ns_ >= kAliveNs) {
    looked_alive_ns_ = now_ns;
    has_ended_ = os::ThreadHasEnded(tid_);
    if (has_ended_) Say("the main thread has ended; there is nothing left to sample");
  }
  return has_ended_;
}

}  // namespace stillframe::sampling
