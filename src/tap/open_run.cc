// SPDX-License-Identifier: Apache-2.0
#include "src/tap/open_run.h"

#include "src/model/document.h"

namespace stillframe::tap {

void OpenRun::TakeRun(uint64_t end_cpu_ns, EndedMessage* to) {
  to->kind = EndedKind::kQuickRun;
  to->token = token_.load(kRelaxed);
  to->start_ns = start_ns_.load(kRelaxed);
  to->end_ns = end_ns_.load(kRelaxed);
  to->work_ns = work_ns_.load(kRelaxed);
  to->start_cpu_ns = start_cpu_ns_.load(kRelaxed);
  to->end_cpu_ns = end_cpu_ns;
  to->messages = messages_.load(kRelaxed);
  to->group = static_cast<uint32_t>(group_.load(kRelaxed));
  const uint64_t version = BeginWrite();
  messages_.store(0, kRelease);
  version_.store(version + 2, kRelease);
}

void OpenRun::TakeIdle(EndedMessage* to) {
  to->kind = EndedKind::kIdle;
  to->start_ns = idle_start_ns_.load(kRelaxed);
  to->end_ns = idle_end_ns_.load(kRelaxed);
  to->work_ns = 0;
  SetIdle(0, 0);
}

OpenHistory OpenRun::Read() const {
  OpenHistory open = {};
  bool is_whole = false;
  for (uint32_t i = 0; i < kMaxReadings && !is_whole; ++i) {
    const uint64_t version = version_.load(kAcquire);
    open.run.kind = EndedKind::kQuickRun;
    open.run.token = token_.load(kAcquire);
    open.run.start_ns = start_ns_.load(kAcquire);
    open.run.end_ns = end_ns_.load(kAcquire);
    open.run.work_ns = work_ns_.load(kAcquire);
    open.run.start_cpu_ns = start_cpu_ns_.load(kAcquire);
    open.run.messages = messages_.load(kAcquire);
    open.run.group = static_cast<uint32_t>(group_.load(kAcquire));
    open.idle_start_ns = idle_start_ns_.load(kAcquire);
    open.idle_end_ns = idle_end_ns_.load(kAcquire);
    is_whole = (version & 1) == 0 && version_.load(kRelaxed) == version;
  }
  if (!is_whole) open = {};
  open.run.wait_ns = model::kTimeUnknown;
  open.run.flags = model::kMessageIdentityUnknown;
  return open;
}

}  // namespace stillframe::tap
