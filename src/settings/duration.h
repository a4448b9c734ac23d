// SPDX-License-Identifier: Apache-2.0
// Types for spans of time: settings keep their own unit, all other code uses nanoseconds.
// Context: any thread and signal
#pragma once

#include <chrono>
#include <cstdint>
#include <ratio>

namespace stillframe::settings {

using Microseconds = std::chrono::duration<uint32_t, std::micro>;
using Milliseconds = std::chrono::duration<uint32_t, std::milli>;
using Seconds = std::chrono::duration<uint32_t>;

template <typename Unit>
constexpr uint64_t Ns(std::chrono::duration<uint32_t, Unit> span) {
  return std::chrono::duration<uint64_t, std::nano>(span).count();
}

}  // namespace stillframe::settings
