// SPDX-License-Identifier: Apache-2.0
// What names a message, or what ran between messages, within its process.
// Context: any thread and signal
#pragma once

#include <cstdint>

namespace stillframe {

// No two of a process share one, of whatever Looper; later ones of a Looper are greater.
enum class Token : uint64_t { kNone = 0 };

// As files have it and people see it.
constexpr uint64_t NumberOf(Token token) { return static_cast<uint64_t>(token); }

}  // namespace stillframe
