// SPDX-License-Identifier: Apache-2.0
// Finds and opens the call frame information of one code address (.eh_frame).
// Source: Linux Standard Base Core 5.0, "DWARF Extensions"; DWARF 4, section 6.4.1.
#pragma once

#include <cstdint>

#include "src/unwind/code_modules.h"

namespace stillframe::unwind {

struct FrameDescription {
  uintptr_t code_begin;
  uintptr_t code_end;
  uintptr_t common_program;  // of the CIE, run before the FDE's own
  uintptr_t common_program_end;
  uintptr_t program;
  uintptr_t program_end;
  uint32_t code_align;
  int32_t data_align;
  uint32_t return_register;
};

// False: pc has no call frame information.
bool FindFrameDescription(const CodeModule& module, uintptr_t pc, FrameDescription* description);

}  // namespace stillframe::unwind
