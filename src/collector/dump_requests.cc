// SPDX-License-Identifier: Apache-2.0
#include "src/collector/dump_requests.h"

#include "src/os/condition.h"

namespace stillframe::collector {

void FileNews::Add(const std::string& path) {
  const os::MutexLock lock(&mutex_);
  paths_[++newest_ % kKept] = path;
  changed_.WakeAll();
}

uint32_t FileNews::Newest() {
  const os::MutexLock lock(&mutex_);
  return newest_;
}

stillframe_status FileNews::Await(uint32_t number, uint32_t timeout_ms, std::string* path) {
  const os::MutexLock lock(&mutex_);
  const auto is_there = [this, number] { return newest_ >= number; };
  if (!changed_.WaitFor(timeout_ms, &mutex_, is_there)) return STILLFRAME_TIMED_OUT;
  if (number == 0 || newest_ - number >= kKept) return STILLFRAME_BAD_ARGUMENT;
  *path = paths_[number % kKept];
  return STILLFRAME_OK;
}

bool DumpRequests::WaitForStartUp(uint32_t timeout_ms) {
  const os::MutexLock lock(&mutex_);
  return changed_.WaitFor(timeout_ms, &mutex_, [this] { return has_started_up_; });
}

void DumpRequests::EndStartUp() {
  const os::MutexLock lock(&mutex_);
  has_started_up_ = true;
  changed_.WakeAll();
}

stillframe_status DumpRequests::Ask(model::Trigger trigger, uint32_t timeout_ms,
                                    const CollectorSleep& collector, std::string* path) {
  const os::MutexLock lock(&mutex_);
  const uint32_t number = ++requested_;
  trigger_ = trigger;
  collector.Wake();
  const auto is_served = [this, number] { return static_cast<int32_t>(served_ - number) >= 0; };
  if (!changed_.WaitFor(timeout_ms, &mutex_, is_served)) return STILLFRAME_TIMED_OUT;
  *path = path_;
  return status_;
}

std::optional<DumpRequests::Request> DumpRequests::Next() {
  const os::MutexLock lock(&mutex_);
  if (served_ == requested_) return std::nullopt;
  return Request{requested_, trigger_};
}

void DumpRequests::Answer(const Request& request, stillframe_status status,
                          const std::string& path) {
  const os::MutexLock lock(&mutex_);
  status_ = status;
  path_ = path;
  served_ = request.number;
  changed_.WakeAll();
}

}  // namespace stillframe::collector
