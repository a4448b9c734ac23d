// SPDX-License-Identifier: Apache-2.0
// A build without native frames: no stack is copied, and none has any.
#include "src/native/native_frames.h"
#include "src/os/log.h"

namespace stillframe::native {

void NativeFrames::Open(const Setup&, core::StackCopies*) {
  os::Log("this build of the profiler has no native frames");
}

std::string NativeFrames::DescribeLibunwind() const { return ""; }

std::span<const MixedFrame> NativeFrames::OfSample(const core::RawSample&, uint64_t,
                                                   core::SampleRing*) {
  return {};
}

bool NativeFrames::CopyStanding(int32_t, uintptr_t) { return false; }

void NativeFrames::Resolve(std::span<const MixedFrame>) {}

}  // namespace stillframe::native
