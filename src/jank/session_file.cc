// SPDX-License-Identifier: Apache-2.0
#include "src/jank/session_file.h"

#include <time.h>

#include <algorithm>
#include <utility>

#include "src/context/device_class.h"
#include "src/core/clock.h"
#include "src/jank/earlier_files.h"
#include "src/jank/json_text.h"
#include "src/jank/record_text.h"
#include "src/jank/system_exit.h"
#include "src/os/condition.h"
#include "src/os/duration.h"
#include "src/os/file_text.h"
#include "src/os/proc.h"

namespace stillframe::jank {
namespace {

using os::kNsPerMs;
using os::kNsPerSecond;

constexpr uint64_t kLeastGapNs = 500 * kNsPerMs;
constexpr uint64_t kMostGapNs = 60 * kNsPerSecond;
constexpr uint64_t kAgeShare = 12;
constexpr uint64_t kBusyNs = 20 * kNsPerMs;  // retry after another process's write
constexpr uint64_t kLookNs = kNsPerSecond;   // between two looks at the importance
constexpr uint32_t kMostFiles = 64;

}  // namespace

bool SessionFile::IsWanted() const {
  const settings::Config* config = setup_.config;
  return config != nullptr && config->enabled && config->janks && !config->dump_dir.empty();
}

void SessionFile::Start(const Setup& setup, uint64_t now_ns) {
  setup_ = setup;
  started_ns_ = last_ns_ = now_ns;
  due_ns_ = now_ns + kLeastGapNs;
  is_foreground_ = context::IsInForeground();
  if (!IsWanted()) return;
  looks_again_ = !CloseFilesOfKilled(setup.config->dump_dir);
  for (const char* suffix : {kRecordSuffix, kSentSuffix})
    os::KeepNewestFiles(setup.config->dump_dir, kSessionPrefix, suffix, kMostFiles);
}

void SessionFile::Count(uint64_t work_ns, bool is_slow, bool is_jank) {
  const uint64_t ms = work_ns / kNsPerMs;
  if (is_jank) {
    ++session_.janks;
    session_.jank_ms += ms;
  }
  if (!is_slow) return;
  ++session_.slow;
  session_.slow_ms += ms;
  size_t bucket = 0;
  while (bucket + 1 < kBuckets && ms >= uint64_t{kFirstBucketMs} << (bucket + 1)) ++bucket;
  buckets_ms_[bucket] += ms;
}

// Time counts as what held at its start.
void SessionFile::Advance(uint64_t now_ns) {
  const uint64_t ms = (now_ns - std::min(last_ns_, now_ns)) / kNsPerMs;
  if (is_foreground_) session_.foreground_ms += ms;
  if (is_watched_) session_.watched_ms += ms;
  session_.alive_ms += ms;
  last_ns_ += ms * kNsPerMs;
  is_foreground_ = context::IsInForeground();
  if (setup_.read != nullptr) is_watched_ = setup_.read(setup_.source, &session_);
}

SpoolResult SessionFile::Write(const char* ended) {
  const settings::Config& config = *setup_.config;
  const std::string process = os::ProcessName();
  const std::string id = setup_.identity->ProcessId(config.omit.bits());
  session_.process = process.c_str();
  session_.time = core::CpuClockNs(CLOCK_REALTIME) / kNsPerMs;
  session_.group = setup_.group;
  session_.identity =
      RecordIdentity(*setup_.identity, setup_.annotations->Read(), config.omit.bits());
  session_.slow_histogram.clear();
  for (size_t i = 0; i < kBuckets; ++i)
    if (buckets_ms_[i] != 0)
      session_.slow_histogram.push_back({std::to_string(kFirstBucketMs << i), buckets_ms_[i]});
  session_.id = id.c_str();
  ++session_.revision;
  session_.ended = ended;
  dump::Session session = session_;
  if (running_ms_ != 0) {
    ++session.janks;
    session.jank_ms += running_ms_;
  }
  JsonText json("{", config.omit.bits());
  Fields(json, session);
  const std::string text = json.Finish() += '\n';
  const auto now_s = static_cast<int64_t>(session_.time / 1'000);
  const std::string path = config.dump_dir + "/" + kSessionPrefix + id + kRecordSuffix;
  const uint64_t day_bytes = uint64_t{config.jank_kib_per_day} * 1024;
  // The end may use all, and a little more.
  constexpr uint64_t kReservedBytes = 32 * 1024;
  const SpoolLimits limits = {config.jank_files,
                              is_closed_ ? day_bytes + kReservedBytes : day_bytes / 2};
  const SpoolResult result = WriteToSpool(config.dump_dir, path, text, limits, now_s);
  if (result == SpoolResult::kWritten) session_.written_bytes += text.size();
  return result;
}

void SessionFile::AddExit(model::SystemExit exit) {
  constexpr size_t kMostWaiting = 16;
  const os::MutexLock lock(&exits_mutex_);
  if (exits_.size() < kMostWaiting) exits_.push_back(std::move(exit));
}

// False: another process writes, try again.
bool SessionFile::JoinExits() {
  while (true) {
    model::SystemExit exit;
    {
      const os::MutexLock lock(&exits_mutex_);
      if (exits_.empty()) return true;
      exit = exits_.front();
    }
    std::string path;
    if (JoinExit(*setup_.config, *setup_.identity, exit, &path) == SpoolResult::kBusy) return false;
    if (!path.empty() && setup_.written != nullptr) setup_.written(setup_.argument, path);
    const os::MutexLock lock(&exits_mutex_);
    exits_.erase(exits_.begin());
  }
}

uint64_t SessionFile::Serve(uint64_t now_ns) {
  if (!IsWanted() || is_closed_) return UINT64_MAX;
  const uint64_t next_ns = ServeSession(now_ns);
  return JoinExits() ? next_ns : std::min(next_ns, kBusyNs);
}

uint64_t SessionFile::ServeSession(uint64_t now_ns) {
  if (now_ns < due_ns_) {
    // The time watched begins with the tap, to the millisecond.
    if (now_ns - last_ns_ >= (is_watched_ ? kLookNs : kNsPerMs)) Advance(now_ns);
    return is_foreground_ ? due_ns_ - now_ns : UINT64_MAX;
  }
  if (std::exchange(looks_again_, false)) CloseFilesOfKilled(setup_.config->dump_dir);
  const bool was_foreground = is_foreground_;
  Advance(now_ns);
  const uint64_t gap_ns = std::clamp((now_ns - started_ns_) / kAgeShare, kLeastGapNs, kMostGapNs);
  const SpoolResult result = Write(nullptr);
  due_ns_ = now_ns + (result == SpoolResult::kWritten ? gap_ns
                      : result == SpoolResult::kBusy  ? kBusyNs
                                                      : kMostGapNs);
  return was_foreground || is_foreground_ ? due_ns_ - now_ns : UINT64_MAX;
}

void SessionFile::Close(uint64_t now_ns, const char* ended) {
  if (!IsWanted() || std::exchange(is_closed_, true)) return;
  Advance(now_ns);
  constexpr int kMostTimes = 20;
  for (int i = 0; i < kMostTimes && Write(ended) == SpoolResult::kBusy; ++i) os::SleepMs(5);
}

}  // namespace stillframe::jank
