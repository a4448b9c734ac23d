// SPDX-License-Identifier: Apache-2.0
// Which guarded loads of a walk fail, and what the others return instead of the truth.
// Context: tests only, one thread
#pragma once

#include <cstdint>
#include <vector>

namespace stillframe::fault {

enum class Fault { kNone, kFails, kGarbage };

struct Injection {
  // Number of loads in 2^32 that fail, and that return garbage; both 0: nothing is injected.
  uint64_t fails = 0;
  uint64_t garbage = 0;
  // Where pointers into the image's memory lie.
  uintptr_t arena = 0;
  uint64_t arena_bytes = 1;
  // Sorted values that are valid elsewhere in a stack. With one of these, or with 0, the memory is
  // a valid image of another stack, which no walk can detect. So garbage is never one of them.
  const std::vector<uint64_t>* never = nullptr;
  // Compiled code and its description. Garbage never points into it, because every address there is
  // meaningful.
  uintptr_t code_begin = 0;
  uintptr_t code_end = 0;
  std::vector<uintptr_t> lies;  // where loads returned garbage
  // The code disappears during the walk: from this load on, reads in it fail, or return what is
  // `moved` bytes further on. 0: it stays.
  uint64_t goes_after = 0;
  uintptr_t moved = 0;
  uint64_t gone = 0;  // loads that met it
  uint64_t random_state = 1;
  uint64_t loads = 0;     // so far
  uint64_t injected = 0;  // into so many of them
};

Injection& TheInjection();

Fault NextFault();

// Where a load of `address` reads: code may be gone, or others' be there instead. False: nowhere.
bool PlaceOfLoad(uintptr_t* address);

// A value that is not `truth`: random bits, one bit flipped, a small number, all ones, or an
// address in the image's memory.
uint64_t Garbage(uint64_t truth);

}  // namespace stillframe::fault
