// SPDX-License-Identifier: Apache-2.0
// Whether a call ends at a return address. Each CPU reads it in arch/<cpu>/unwind_registers.h.
// Context: signal
#pragma once

#include <cstdint>

namespace stillframe::arch {

// Text may be execute-only: Android 10's system libraries are, on aarch64.
enum class CallBefore : uint8_t { kNo, kYes, kUnreadable };

}  // namespace stillframe::arch
