// SPDX-License-Identifier: Apache-2.0
// Maintains the tap: installs it at start-up or once there is a main Looper, checks whether it is
// still in place, and reports if no message is ever dispatched.
//
// Enters the VM, which may block the thread: so never while a message is slow, nor while idle. The
// tap is checked after the main thread used CPU time without a message. A probe is sent once for
// each message that it may end, at the first look that finds one.
#pragma once

#include <cstdint>

#include "src/art/main_queue.h"
#include "src/art/vm.h"
#include "src/collector/looper_pipelines.h"
#include "src/model/outcome.h"

namespace stillframe::collector {

class TapUpkeep {
 public:
  // CPU time of the main thread outside messages after which the tap is checked. It also ends an
  // idle sleep of the collector.
  static constexpr uint64_t kActivityNs = 2'000'000;
  // Time between looks for a hang, if a probe is the tap and the application in the foreground.
  static constexpr uint64_t kProbeNs = 100'000'000;

  struct Parts {  // all must outlive this
    tap::Tap* tap;
    tap::TapKeeper* taps;
    core::WatchedThread* main_thread;
    LooperPipelines* pipelines;
    history::FrameStatistics* frames;
    art::MainQueue* main_queue;  // found once there is a tap
  };
  void Start(const art::Vm& vm, const Parts& parts, uint64_t now_ns);

  // Loads the taps' classes; without them no tap is tried. `thread` is the calling one.
  model::Outcome LoadClasses(const art::AttachedThread& thread);
  // Installs the first tap, unless it is too early.
  void InstallTap(const art::AttachedThread& thread);

  // Returns nanoseconds until the next call; UINT64_MAX: until woken.
  uint64_t Tick(uint64_t now_ns);

 private:
  uint64_t KeepTap(uint64_t now_ns);
  model::Outcome Install(const art::AttachedThread& thread);
  void HasTap(const art::AttachedThread& thread);
  bool KnowsMainThread() const;
  void FindMainThread(const art::AttachedThread& thread);
  bool MainRanOutsideMessages(uint64_t now_ns);
  void LookAfterTap(uint64_t now_ns);
  void ReadRefreshInterval();
  uint64_t WarnIfNothingHappens(uint64_t now_ns);
  uint64_t Probe(uint64_t now_ns);
  bool EnterVm();
  void LeaveVm();

  art::Vm vm_;
  art::AttachedThread thread_;  // attached during a visit only
  Parts parts_ = {};
  uint64_t started_ns_ = 0;
  bool has_classes_ = false;
  bool has_refresh_interval_ = false;  // was looked for, once there were frames
  bool is_first_seen_ = false;         // the first message was seen, or none for 30 s
  // Main thread, when no message ran: messages so far, and its CPU clock.
  uint64_t begun_ = 0;
  uint64_t cpu_ns_ = 0;
  uint64_t checked_ns_ = 0;
  uint64_t recheck_ns_ = 0;  // when the answer of a check by a probe is read; 0: none is awaited
  // With a probe.
  uint64_t probed_ = UINT64_MAX;  // messages before the last one that was sent
  bool is_foreground_ = true;
  uint64_t foreground_ns_ = 0;  // when that was read
};

}  // namespace stillframe::collector
