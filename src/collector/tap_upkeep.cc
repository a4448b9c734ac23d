// SPDX-License-Identifier: Apache-2.0
// Often at first, seldom later.
#include "src/collector/tap_upkeep.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "src/art/runtime_probe.h"
#include "src/jvm/refresh_interval.h"
#include "src/os/duration.h"
#include "src/os/log.h"

namespace stillframe::collector {
namespace {

using model::Outcome;
using os::kNsPerMs;
using os::kNsPerSecond;
constexpr uint64_t kNothingHappensNs = 30 * kNsPerSecond;

}  // namespace

void TapUpkeep::Start(LooperPipelines* pipelines, uint64_t now_ns) {
  pipelines_ = pipelines;
  started_ns_ = now_ns;
}

Outcome TapUpkeep::LoadClasses(const art::AttachedThread& thread) {
  Outcome loaded = pipelines_->taps().tap().LoadClasses(thread.env());
  has_classes_ = loaded.ok();
  return loaded;
}

void TapUpkeep::InstallTap(const art::AttachedThread& thread) {
  tap::TapKeeper& taps = pipelines_->taps();
  if (!taps.wants_tap()) return;
  const Outcome installed = taps.Install(thread.env());
  if (installed.status == model::Status::kUnavailable) os::Log("no tap: %s", installed.why.c_str());
}

uint64_t TapUpkeep::Tick(const art::AttachedThread& thread, uint64_t now_ns) {
  const uint64_t sleep_ns = art::HasVm() ? KeepTap(thread, now_ns) : UINT64_MAX;
  WarnIfNothingHappens(now_ns);
  return is_first_seen_ ? sleep_ns : std::min(sleep_ns, kNsPerSecond);
}

uint64_t TapUpkeep::KeepTap(const art::AttachedThread& thread, uint64_t now_ns) {
  if (!has_classes_) return UINT64_MAX;
  tap::TapKeeper& taps = pipelines_->taps();
  if (taps.wants_tap()) {
    std::ignore = taps.Install(thread.env());  // again, soon
    return (now_ns - started_ns_ < kNothingHappensNs ? 5 : 1'000) * kNsPerMs;
  }
  if (!pipelines_->IsAnySlow(now_ns)) {
    history::FrameStatistics& frames = pipelines_->frame_statistics();
    if (!has_refresh_interval_ && frames.frames() > 0) {
      has_refresh_interval_ = true;
      const uint64_t interval_ns = jvm::ReadRefreshInterval(thread);
      if (interval_ns != 0) frames.SetRefreshInterval(interval_ns);
    }
    const std::string news = taps.Check(thread.env(), now_ns);
    if (!news.empty()) os::Log("%s", news.c_str());
  }
  // A slow message keeps the collector from looking: it comes by often enough then.
  return std::max(taps.NextCheckNs(now_ns), 10 * kNsPerMs);
}

void TapUpkeep::WarnIfNothingHappens(uint64_t now_ns) {
  if (is_first_seen_) return;
  if (pipelines_->main_thread().message.begun.load(std::memory_order_relaxed) != 0) {
    is_first_seen_ = true;
  } else if (now_ns - started_ns_ > kNothingHappensNs) {
    is_first_seen_ = true;
    os::Log(
        "the main thread has dispatched no message within 30 s: it runs no Looper, so there is "
        "nothing to profile yet");
  }
}

}  // namespace stillframe::collector
