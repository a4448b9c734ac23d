// SPDX-License-Identifier: Apache-2.0
// The line number program of a dex debug_info_item.
#pragma once

#include <cstdint>

namespace stillframe::art {

// Line of the last position entry at or before dex_pc; -1 when there is none or the program cannot
// be read. Bounded: at most 1 MiB of program is run.
int32_t LineFromProgram(uintptr_t debug_info, uint32_t dex_pc);

}  // namespace stillframe::art
