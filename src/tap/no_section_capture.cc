// SPDX-License-Identifier: Apache-2.0
// A build without sections of the trace marker: libcutils is left alone.
#include "src/os/log.h"
#include "src/tap/section_capture.h"

namespace stillframe::tap {

void SectionCapture::Start(WatchedLoopers*) {
  os::Log("this build of the profiler has no sections of the trace marker");
}

void SectionCapture::Keep(bool) {}

model::TraceSections SectionCapture::Describe() const {
  return {"this build has no sections of the trace marker", {}};
}

void SectionCapture::Forget() {}

}  // namespace stillframe::tap
