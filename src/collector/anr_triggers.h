// SPDX-License-Identifier: Apache-2.0
// When a dump is written: on request, on SIGQUIT, for a long message, for a missed heartbeat.
//
// The decisions are TriggerPolicy's; this reads the clocks and counters it decides by, has the dump
// written, and adds to the dump of a SIGQUIT what is known later: whether the system holds the
// process for not responding, and the Signal Catcher's traces.
#pragma once

#include <cstdint>
#include <string>

#include "src/anr/trigger_policy.h"
#include "src/collector/dump_assembler.h"
#include "src/collector/dump_requests.h"
#include "src/core/guarded_memory.h"
#include "src/core/sampler.h"
#include "src/core/waker.h"
#include "src/dump/writer.h"
#include "src/jvm/java_questions.h"
#include "src/model/dump.h"
#include "src/sampling/slow_message_watch.h"
#include "src/settings/config.h"

namespace stillframe::collector {

// The traces that ART's Signal Catcher prints for a SIGQUIT, copied into the dump for it.
//
// The Signal Catcher begins while the dump is written, and its traces may take seconds: they are
// added when both are there.
class CatcherTraces {
 public:
  // Replaces the function by which the Signal Catcher hands out its traces, where that is wanted
  // and possible; each copy wakes the collector by `waker`. At start-up only.
  void HookSignalCatcher(bool is_wanted, const core::Waker* waker);

  // Why the dump written now has no traces.
  std::string WhyAbsent() const;

  // The traces of the SIGQUIT of this number are wanted. Those of an earlier one that were not
  // taken are dropped.
  void Expect(unsigned arrival);
  // They belong to the dump at `path`.
  void BelongTo(const std::string& path);
  // Adds traces that have come to their dump.
  void AddToDump(dump::Writer* writer);

 private:
  std::string absent_;  // why the Signal Catcher is not heard; "": it is
  std::string path_;    // the dump that waits for its traces; "": none does
};

class AnrTriggers {
 public:
  // All must outlive this.
  struct Parts {
    const settings::Config* config;
    const core::WatchedThread* main_thread;
    const sampling::SlowMessageWatch* main_watch;
    jvm::JavaQuestions* questions;
    DumpAssembler* dumps;
    dump::Writer* writer;
    FileNews* news;  // of each dump that is written
  };
  void Start(const Parts& parts);

  // The configuration has changed.
  void Reconfigure();

  // SIGQUITs give dumps from here on, where there is a folder for them; nothing is touched where
  // there is none. At start-up only, before the sampler installs its handler.
  void TakeSigquits(core::SigactionFunction kernel_sigaction, const core::Waker* waker);

  // A dump that somebody asked for.
  DumpAssembler::Written DumpOnRequest(model::Trigger trigger);
  // Writes the dumps that nobody asked for. Returns how long the collector may sleep; UINT64_MAX:
  // until woken. `is_at_rest`: the main thread has nothing to do, so its heart need not beat.
  uint64_t Tick(uint64_t now_ns, bool is_at_rest);
  // Nobody in this process ran for so long.
  void WasFrozen(uint64_t for_ns) { policy_.WasFrozen(for_ns); }

 private:
  DumpAssembler::Written Dump(model::Trigger trigger, const std::string& detail);
  void HandleSigquits(uint64_t now_ns);
  void DumpForSigquit(anr::TriggerPolicy::Decision decision, uint64_t now_ns);
  void DumpLongMessage(uint64_t now_ns);
  void CheckHeartbeat(uint64_t now_ns);
  void PollErrorState(uint64_t now_ns);

  Parts parts_ = {};
  anr::TriggerPolicy policy_;
  CatcherTraces traces_;
  anr::ErrorStatePoll error_state_;
  unsigned sigquits_handled_ = 0;
  // The last dump for a SIGQUIT, which learns later whether it was an ANR.
  std::string sigquit_path_;
  model::Occasion sigquit_;
};

}  // namespace stillframe::collector
