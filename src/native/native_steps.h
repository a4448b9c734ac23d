// SPDX-License-Identifier: Apache-2.0
// Steps over the native frames of a copied stack: by our own unwinder, by libunwind, or by ours
// with libunwind beside it, which counts where the two differ.
//
// Where libunwind takes part, its cursor follows a fragment from its innermost frame on. A frame
// that it only guesses, or that is behind no call, is never taken; it is noted. A place stands for
// one difference however often it is met.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/arch.h"
#include "src/native/libunwind.h"
#include "src/unwind/code_modules.h"

namespace stillframe::native {

enum class StepsBy : uint8_t { kOwn = 0, kLibunwind = 1, kBoth = 2 };

// What libunwind made of the frames that it was asked for.
struct LibunwindAccount {
  static constexpr size_t kMaxPlaces = 32;

  enum class Kind : uint8_t {
    kDifferent = 0,  // described, and the two lead elsewhere
    kNoCall = 1,     // its description leads to what is behind no call
    kGuess = 2,      // nothing describes the place
    kCount,
  };
  struct Place {
    Kind kind = Kind::kGuess;
    uintptr_t pc = 0;      // of the frame
    uintptr_t own = 0;     // what ours returns to; 0: it ends here
    uintptr_t theirs = 0;  // likewise
    uint64_t times = 0;
  };

  static const char* Name(Kind kind);

  void Add(const Place& place);
  uint64_t count(Kind kind) const { return counts[static_cast<size_t>(kind)]; }

  uint64_t frames = 0;  // that it has found by a description; equal to ours, where both are asked
  uint64_t counts[static_cast<size_t>(Kind::kCount)] = {};
  std::vector<Place> places;  // the first ones
};

class NativeSteps {
 public:
  // False where libunwind is asked for and cannot be had: ours is left.
  bool Choose(StepsBy by, const unwind::CodeModules& modules);
  StepsBy by() const { return by_; }

  // The innermost frame of a fragment. `is_call`: pc is a return address.
  void Begin(const arch::UnwindRegisters& registers, bool is_call);
  // As StepOver, from where Begin or the last Step came to.
  bool Step(const unwind::CodeModules& modules, bool is_call, arch::UnwindRegisters* registers,
            bool* is_return);

  const LibunwindAccount& account() const { return account_; }

 private:
  // What libunwind has found by call frame information; false where it has not.
  bool TakeTheirs(bool is_call, arch::UnwindRegisters* registers, bool* is_return);
  void Compare(const arch::UnwindRegisters& inner, bool is_call,
               const arch::UnwindRegisters* outer);

  StepsBy by_ = StepsBy::kOwn;
  Libunwind libunwind_;
  LibunwindAccount account_;
};

}  // namespace stillframe::native
