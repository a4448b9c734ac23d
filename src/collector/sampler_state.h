// SPDX-License-Identifier: Apache-2.0
// How far the profiler got. Code decides by the phase; the text for people is derived from it.
// Context: any thread but a signal handler; Set: the collector, and start-up
#pragma once

#include <atomic>
#include <cstdint>
#include <forward_list>
#include <string>

namespace stillframe::collector {

enum class SamplerPhase : uint8_t {
  kNotStarted,    // stillframe_start was not called
  kStarting,      // stillframe_start was just called
  kDisabled,      // by the setting enabled
  kControl,       // in the control group: nothing of ours is installed
  kWaitingForVm,  // the collector runs; no Java VM yet
  kStartingUp,    // there is a VM; not yet known whether sampling is possible
  kOn,            // sampling, unless stopped
  kOff,           // no samples, with a reason; still records and dumps
  kNoCollector,   // with a reason
  kForked,        // child of a fork: no collector, no timer
};

class SamplerState {
 public:
  SamplerPhase phase() const { return Now().phase; }
  bool IsOn() const { return phase() == SamplerPhase::kOn; }
  // True for the first call in the process, which sets kStarting.
  bool Begin();
  // Whether this process has or had a collector.
  bool IsStarted() const;
  // Whether sampling is impossible from now on, whatever is called or set.
  bool NeverSamples() const;
  // Whether the collector serves requests, or will after start-up.
  bool HasCollector() const;

  // `why`: the text after "off: ", for kOff and kNoCollector. Never waits, and frees nothing, since
  // readers keep the text. Phases without a reason may be set in the child of a fork.
  void Set(SamplerPhase phase, const std::string& why = "");

  // While on: shows `text` instead of "on". `is_over`: sampling has ended, all else continues.
  // Restrictions as for Set.
  void SetWhileOn(std::string text, bool is_over);

  // "sampled" once started, whatever happened since; "control"; or "out".
  const char* group() const;
  // "on", or why no samples are taken. Valid until the process ends.
  const char* text() const { return Now().text; }
  // Text for a dump. `is_stopped`: by stillframe_stop. `trouble`: what prevents samples.
  std::string TextForDump(bool is_stopped, const std::string& trouble) const;

 private:
  struct Record {
    SamplerPhase phase;
    const char* text;
    bool is_over;  // whatever the application calls
  };
  struct Reason {
    Record record;
    std::string text;
  };
  static const Record without_reason[];

  void SetState(SamplerPhase phase, std::string text, bool is_over);
  const Record& Now() const { return *now_.load(std::memory_order_acquire); }

  // Written by Set (release), read by all (acquire). The target never changes.
  std::atomic<const Record*> now_{without_reason};
  // All reasons ever given; few per process. Only one thread at a time adds one.
  std::forward_list<Reason> reasons_;
};

}  // namespace stillframe::collector
