// SPDX-License-Identifier: Apache-2.0
// Where the caller of compiled code stands that was interrupted between frames, for every CPU:
// arch/<cpu>/compiled_frame.h finds it out.
// Context: signal
#pragma once

#include <cstdint>

namespace stillframe::arch {

struct CallerPlace {
  uint32_t frame_bytes = 0;  // from the stack pointer to the caller's frame
  // The return address is in the link register; false: in the word right below the caller's frame.
  bool is_in_register = false;
};

}  // namespace stillframe::arch
