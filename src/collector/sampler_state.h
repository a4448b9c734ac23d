// SPDX-License-Identifier: Apache-2.0
// How far the profiler got. Whoever decides asks the phase; the text that people read comes of it.
// Context: any thread but a signal handler; Set: the collector, and start-up
#pragma once

#include <atomic>
#include <cstdint>
#include <forward_list>
#include <string>

#include "src/guard/guard.h"

namespace stillframe::collector {

enum class SamplerPhase : uint8_t {
  kNotStarted,    // nobody called stillframe_start
  kStarting,      // somebody just did
  kDisabled,      // by the setting enabled
  kWaitingForVm,  // the collector runs, and there is no Java VM yet
  kStartingUp,    // there is a VM; whether samples can be taken is not known yet
  kOn,            // samples are taken, unless the sampler is stopped
  kOff,           // no samples, for a reason; messages are recorded, dumps are written
  kNoCollector,   // for a reason
  kForked,        // the child of a fork, which has no collector and no timer
};

class SamplerState {
 public:
  SamplerPhase phase() const { return Now().phase; }
  bool IsOn() const { return phase() == SamplerPhase::kOn; }
  // True for the first caller in the process, from where on the phase is kStarting.
  bool Begin();
  // There is or was a collector in this process.
  bool IsStarted() const;
  // The collector serves requests, or will when it has started up.
  bool HasCollector() const;

  // `why` is what kOff and kNoCollector say after "off: ". Never waits and frees nothing: readers
  // keep the text. The phases without a reason may be set in the child of a fork.
  void Set(SamplerPhase phase, const std::string& why = "");

  // What earlier processes have to say about it.
  guard::Guard& guard() { return guard_; }
  const guard::Guard& guard() const { return guard_; }

  // "on", or in a few words why samples are not taken. Valid for the life of the process.
  const char* text() const { return Now().text; }
  // What a dump has: `is_stopped` while stillframe_stop holds, `trouble` what keeps samples away.
  std::string TextForDump(bool is_stopped, const std::string& trouble) const;

 private:
  struct Record {
    SamplerPhase phase;
    const char* text;
  };
  struct Reason {
    Record record;
    std::string text;
  };
  static const Record kWithoutReason[];

  const Record& Now() const { return *now_.load(std::memory_order_acquire); }

  // Written by Set (release), read by all (acquire). What it points to never changes.
  std::atomic<const Record*> now_{kWithoutReason};
  // Those that were ever given, one or two in a process. Only one thread at a time gives one.
  std::forward_list<Reason> reasons_;
  guard::Guard guard_;
};

}  // namespace stillframe::collector
