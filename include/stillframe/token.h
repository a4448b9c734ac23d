// SPDX-License-Identifier: Apache-2.0
// Identifier of a message, or of a segment between messages, within its process.
// Context: any thread and signal
#pragma once

#include <cstdint>

namespace stillframe {

// Unique in a process, across Loopers. Tokens of one Looper grow.
enum class Token : uint64_t { kNone = 0 };

// The number in files and outputs.
constexpr uint64_t NumberOf(Token token) { return static_cast<uint64_t>(token); }

}  // namespace stillframe
