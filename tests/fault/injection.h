// SPDX-License-Identifier: Apache-2.0
// Which guarded loads of a walk fail, and what the others return instead of the truth.
// Context: tests only, one thread
#pragma once

#include <cstdint>
#include <vector>

namespace stillframe::fault {

enum class Fault { kNone, kFails, kGarbage };

struct Injection {
  // Of 2^32 loads so many fail, and so many return garbage. 0 and 0: nothing is injected.
  uint64_t fails = 0;
  uint64_t garbage = 0;
  // Where pointers into the image's memory lie.
  uintptr_t arena = 0;
  uint64_t arena_bytes = 1;
  // Values that are right elsewhere in a stack, sorted. With one of these, or with 0, the memory is
  // that of another stack, and no walk can tell it from the truth: they are no garbage.
  const std::vector<uint64_t>* never = nullptr;
  // Compiled code and what describes it: no garbage leads into it, where every address means
  // something.
  uintptr_t code_begin = 0;
  uintptr_t code_end = 0;
  std::vector<uintptr_t> lies;  // where loads returned garbage
  // The code goes while it is walked: from so many loads on what is read there fails, or is what
  // lies `moved` bytes further on. 0: it stays.
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
