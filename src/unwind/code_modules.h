// SPDX-License-Identifier: Apache-2.0
// The libraries of this process with their call frame information (.eh_frame_hdr).
//
// Append only: readers take the count once (acquire) and see whole rows. A library that is gone
// leaves its row; what is read through it are guarded loads, and a newer row at the same place
// wins.
// Context: signal (Find), collector (Add, the only writer)
#pragma once

#include <atomic>
#include <cstdint>

namespace stillframe::unwind {

struct CodeModule {
  uintptr_t begin;  // of all its segments
  uintptr_t end;
  uintptr_t index;       // sorted rows {code, description} as s32 relative to index_base
  uintptr_t index_base;  // .eh_frame_hdr
  uint32_t index_count;
  bool is_vdso = false;  // the kernel's library, which is not described on every CPU
};

class CodeModules {
 public:
  // Null when pc is in no known library. Context: signal
  const CodeModule* Find(uintptr_t pc) const;

  // One library more; false when there is no place. Context: collector
  bool Add(const CodeModule& module);

 private:
  static constexpr uint32_t kMaxModules = 512;

  CodeModule modules_[kMaxModules] = {};
  // Written by Add (release), read by the handler (acquire).
  std::atomic<uint32_t> count_{0};
};

// Reads .eh_frame_hdr at `header`; false when its form is not the one linkers write.
bool ReadFrameIndex(uintptr_t header, CodeModule* module);

}  // namespace stillframe::unwind
