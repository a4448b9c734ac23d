// SPDX-License-Identifier: Apache-2.0
// The chains, and the return addresses of their functions.
#pragma once

#include <atomic>
#include <cstdint>

namespace native_waits {

struct Truth {
  static constexpr int kFunctions = 3;

  void Note(const void* return_address) {
    return_addresses[count++] = reinterpret_cast<uintptr_t>(return_address);
  }

  uintptr_t return_addresses[kFunctions] = {};  // the outermost function's first
  int count = 0;
  std::atomic<bool> is_ready{false};  // written by the thread that waits (release)
};

}  // namespace native_waits

// Compiled as usual; with frame pointers; with a stack allocation of variable size; without unwind
// information.
extern "C" long sf_plain_outer(native_waits::Truth* truth, int pipe);
extern "C" long sf_pointer_outer(native_waits::Truth* truth, int pipe);
extern "C" long sf_room_outer(native_waits::Truth* truth, int pipe);
extern "C" long sf_bare_outer(native_waits::Truth* truth, int pipe);
