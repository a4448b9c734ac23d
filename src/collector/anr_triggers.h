// SPDX-License-Identifier: Apache-2.0
// When a dump is written: on request, on SIGQUIT, for a long message, for a missed heartbeat.
//
// TriggerPolicy decides. This class reads the clocks and counters for it, and has the dump written.
// It adds later facts to the dump of a SIGQUIT: whether the system considers the process not
// responding, and the Signal Catcher's traces.
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

// The traces that ART's Signal Catcher prints for a SIGQUIT, copied into its dump.
//
// The Signal Catcher begins while the dump is written, and may take seconds. The traces are added
// when both are complete.
class CatcherTraces {
 public:
  // Replaces the function through which the Signal Catcher writes its traces, if wanted and
  // possible. Each copy wakes the collector by `waker`. At start-up only.
  void HookSignalCatcher(bool is_wanted, const core::Waker* waker);

  // Why the current dump has no traces.
  std::string WhyAbsent() const;

  // Waits for the traces of the SIGQUIT with this number. Drops earlier ones that were not taken.
  void Expect(unsigned arrival);
  // The expected traces belong to the dump at `path`.
  void BelongTo(const std::string& path);
  // Adds complete traces to their dump.
  void AddToDump(dump::Writer* writer);

 private:
  std::string absent_;  // why the Signal Catcher is not copied; "": it is
  std::string path_;    // the dump that waits for its traces; "": none
};

class AnrTriggers {
 public:
  // All must outlive this.
  struct Parts {
    const settings::Config* config;
    const core::WatchedThread* main_thread;
    const sampling::SlowMessageWatch* main_watch;
    const tap::TapKeeper* taps;
    jvm::JavaQuestions* questions;
    DumpAssembler* dumps;
    dump::Writer* writer;
    FileNews* news;  // receives each dump that is written
  };
  void Start(const Parts& parts);

  // The configuration has changed.
  void Reconfigure();

  // SIGQUITs cause dumps from now on, if there is a folder for dumps; otherwise nothing is changed.
  // At start-up only, before the sampler installs its handler.
  void TakeSigquits(core::SigactionFunction kernel_sigaction, const core::Waker* waker);

  // Writes a requested dump.
  DumpAssembler::Written DumpOnRequest(model::Trigger trigger);
  // Writes dumps that are due without a request. Returns nanoseconds until the next call;
  // UINT64_MAX: until woken. `is_idle`: the main thread is idle, so no heartbeat is expected.
  uint64_t Tick(uint64_t now_ns, bool is_idle);
  // The whole process was frozen for `for_ns`.
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
  // The last dump for a SIGQUIT; whether it was an ANR is known later.
  std::string sigquit_path_;
  model::Occasion sigquit_;
};

}  // namespace stillframe::collector
