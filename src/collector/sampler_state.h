// SPDX-License-Identifier: Apache-2.0
// How far the profiler got. Whoever decides asks the phase; the text that people read comes of it.
// Context: any thread but a signal handler; Set: the collector, and start-up
#pragma once

#include <atomic>
#include <cstdint>
#include <forward_list>
#include <string>

namespace stillframe::collector {

enum class SamplerPhase : uint8_t {
  kNotStarted,    // nobody called stillframe_start
  kStarting,      // somebody just did
  kDisabled,      // by the setting enabled
  kControl,       // this install is of the control group: there is nothing of ours here
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
  // Whatever is called or set from here on.
  bool NeverSamples() const;
  // The collector serves requests, or will when it has started up.
  bool HasCollector() const;

  // `why` is what kOff and kNoCollector say after "off: ". Never waits and frees nothing: readers
  // keep the text. The phases without a reason may be set in the child of a fork.
  void Set(SamplerPhase phase, const std::string& why = "");

  // What is to be known of a sampler that is on: `text` instead of "on". `is_over`: samples are
  // taken no more, all else goes on. As Set.
  void SetWhileOn(std::string text, bool is_over);

  // "sampled", whatever became of it; "control" or "out".
  const char* group() const;
  // "on", or in a few words why samples are not taken. Valid for the life of the process.
  const char* text() const { return Now().text; }
  // What a dump has: `is_stopped` while stillframe_stop holds, `trouble` what keeps samples away.
  std::string TextForDump(bool is_stopped, const std::string& trouble) const;

 private:
  struct Record {
    SamplerPhase phase;
    const char* text;
    bool is_over;  // whatever the application says
  };
  struct Reason {
    Record record;
    std::string text;
  };
  static const Record without_reason[];

  void Give(SamplerPhase phase, std::string text, bool is_over);
  const Record& Now() const { return *now_.load(std::memory_order_acquire); }

  // Written by Set (release), read by all (acquire). What it points to never changes.
  std::atomic<const Record*> now_{without_reason};
  // Those that were ever given, a few in a process. Only one thread at a time gives one.
  std::forward_list<Reason> reasons_;
};

}  // namespace stillframe::collector
