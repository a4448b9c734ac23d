// SPDX-License-Identifier: Apache-2.0
// What stands before a return address, for every CPU: arch/<cpu>/unwind_registers.h reads it.
// Context: signal
#pragma once

#include <cstdint>

namespace stillframe::arch {

// Text may be execute-only: Android 10's system libraries are, on aarch64.
enum class CallBefore : uint8_t { kNo, kYes, kUnreadable };

}  // namespace stillframe::arch
