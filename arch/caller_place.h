// SPDX-License-Identifier: Apache-2.0
// Location of the caller of compiled code that was interrupted between frames, for every CPU.
// arch/<cpu>/compiled_frame.h finds it.
// Context: signal
#pragma once

#include <cstdint>

namespace stillframe::arch {

struct CallerPlace {
  uint32_t frame_bytes = 0;  // from the stack pointer to the caller's frame
  // True: in the link register. False: in the word right below the caller's frame.
  bool is_in_register = false;
};

}  // namespace stillframe::arch
