// SPDX-License-Identifier: Apache-2.0
// Data of one walk about the methods it has met.
#pragma once

#include <cstdint>

#include "src/walk/compiled_code.h"
#include "src/walk/method_check.h"
#include "src/walk/nterp_frame.h"
#include "src/walk/recent_methods.h"

namespace stillframe::walk {

struct KnownCode {
  uintptr_t begin;
  uint32_t bytes;
  uint32_t frame_bytes;
  uint32_t tag;

  bool Holds(uintptr_t pc) const { return pc >= begin && pc - begin <= bytes; }
};

// Facts about a method for one kind of code. Its key is the method's address plus the kind.
union MethodFacts {
  NterpShape shape;
  KnownCode code;
  MethodFacts() {}
  explicit MethodFacts(const NterpShape& read) : shape(read) {}
  MethodFacts(const CompiledCode& read, uint32_t tag)
      : code{read.begin, read.bytes, read.frame_bytes, tag} {}
};
constexpr uintptr_t kNterp = 1;
constexpr uintptr_t kElsewhere = 2;  // compiled code that is not at the method's entry point

// Data kept from frame to frame and from fragment to fragment.
struct WalkMemory {
  LastClass last_class;
  [[no_unique_address]] RecentMethods<MethodFacts> methods;  // its last word is not full
  uint32_t look_backs = 0;
  bool is_warm = false;  // may use RuntimeFacts::warm
};

}  // namespace stillframe::walk
