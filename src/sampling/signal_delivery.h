// SPDX-License-Identifier: Apache-2.0
// Notices when the timer's signals do not reach the sampler, and says why.
//
// Problem: SIGPROF belongs to the whole process. Another component can install its handler over
// ours, leave none, or block the signal; a signal that then meets the default action kills the
// process. Rule: the kernel's handler of SIGPROF is looked at before the timer is armed and in each
// round while it is, those of faults every kLookNs; a foreign handler is left alone, and without a
// signal in return the timer stops. Whoever takes ours away again and again keeps it off for good.
// Surviving risk: a component that resets SIGPROF to the default action while the timer is armed
// has a round, an interval, in which one of our signals may end the process.
#pragma once

#include <cstdint>
#include <string>

#include "src/core/sampler.h"

namespace stillframe::sampling {

class SignalDelivery {
 public:
  static constexpr uint64_t kLookNs = 50'000'000;

  void Start(core::Sampler* sampler, int32_t tid);

  // Whether the timer may run. `cpu_ns` is the watched thread's CPU clock, `is_armed` whether the
  // timer has run since the call before.
  bool Check(uint64_t now_ns, uint64_t cpu_ns, uint64_t interval_ns, bool is_armed);

  // The sampler takes no samples: says why, if it is to blame.
  void ExplainStop();

  // The thread ran for long enough, and no signal came; until one comes.
  bool is_silent() const { return is_silent_; }

  // The watched thread stands still: true when it does because it has ended. Looks once a second.
  bool HasEnded(uint64_t now_ns);

  // Why running code, or nothing at all, is sampled at the moment; empty when all is well.
  const std::string& trouble() const { return trouble_; }

 private:
  void LookAtFaultHandlers();
  void LookAtHandler();
  // False when the thread's signal, late by this much of its CPU time, can still come.
  bool ExplainSilence(uint64_t ran_ns);
  void Say(const std::string& trouble);

  core::Sampler* sampler_ = nullptr;
  int32_t tid_ = 0;
  std::string trouble_;
  bool is_unsafe_ = false;  // faults are not recovered from any more
  bool has_ended_ = false;  // the watched thread
  bool is_silent_ = false;
  uintptr_t foreign_ = 0;    // the handler in the place of ours
  uint32_t taken_away_ = 0;  // how often there was none
  uint64_t looked_ns_ = 0;
  uint64_t looked_alive_ns_ = 0;
  uint64_t arrivals_ = 0;
  uint64_t arrival_cpu_ns_ = 0;  // of the thread, when the last signal was noticed
};

}  // namespace stillframe::sampling
