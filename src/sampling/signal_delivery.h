// SPDX-License-Identifier: Apache-2.0
// Detects when the timer's signals do not reach the sampler, and says why.
//
// Problem: SIGPROF belongs to the whole process. Another component can replace our handler, remove
// it, or block the signal. A signal that meets the default action kills the process.
// Rule: the SIGPROF handler is checked before the timer is armed and in each round while it is; the
// fault handlers every kLookNs. A foreign handler is left alone; if it forwards no signals, the
// timer stops. Repeated removal of ours stops it for good.
// Remaining risk: if SIGPROF is reset to the default action while the timer is armed, one of our
// signals may end the process within that round.
#pragma once

#include <cstdint>
#include <string>

#include "src/core/sampler.h"

namespace stillframe::sampling {

class SignalDelivery {
 public:
  static constexpr uint64_t kLookNs = 50'000'000;

  void Start(core::Sampler* sampler, int32_t tid);

  // Whether the timer may run. `cpu_ns`: CPU clock of the watched thread. `is_armed`: the timer ran
  // since the previous call.
  bool Check(uint64_t now_ns, uint64_t cpu_ns, uint64_t interval_ns, bool is_armed);

  // The sampler has stopped: reports the reason, if it is the cause.
  void ExplainStop();

  // The thread ran for long enough without a signal. Until one comes.
  bool is_silent() const { return is_silent_; }

  // Whether the watched thread, which does not move, has ended. Checks once a second.
  bool HasEnded(uint64_t now_ns);

  // Why running code, or everything, is not sampled at the moment; "": all is well.
  const std::string& trouble() const { return trouble_; }

 private:
  void LookAtFaultHandlers();
  void LookAtHandler();
  // False if the signal may still come, after `ran_ns` of the thread's CPU time.
  bool ExplainSilence(uint64_t ran_ns);
  void Say(const std::string& trouble);

  core::Sampler* sampler_ = nullptr;
  int32_t tid_ = 0;
  std::string trouble_;
  bool is_unsafe_ = false;  // faults can no longer be recovered from
  bool has_ended_ = false;  // the watched thread
  bool is_silent_ = false;
  uintptr_t foreign_ = 0;    // handler that replaced ours
  uint32_t taken_away_ = 0;  // how often ours was removed
  uint64_t looked_ns_ = 0;
  uint64_t looked_alive_ns_ = 0;
  uint64_t arrivals_ = 0;
  uint64_t arrival_cpu_ns_ = 0;  // of the thread, when the last signal was noticed
};

}  // namespace stillframe::sampling
