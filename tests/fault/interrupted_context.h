// SPDX-License-Identifier: Apache-2.0
// The context of a thread that was interrupted with given registers. Which words of ucontext_t
// those are is asked of arch::FillUnwindRegisters, so that no CPU is named here.
// Context: tests only
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <cstring>

#include "arch/arch.h"

namespace stillframe::fault {

class ContextWriter {
 public:
  ContextWriter() {
    constexpr uintptr_t kMark = 0x1000;
    for (size_t at = 0; at + sizeof kMark <= sizeof(ucontext_t); at += sizeof kMark) {
      ucontext_t context = {};
      arch::UnwindRegisters registers;
      memcpy(reinterpret_cast<char*>(&context) + at, &kMark, sizeof kMark);
      arch::FillUnwindRegisters(context, &registers);
      for (uint32_t i = 0; i < arch::kDwarfRegisters; ++i)
        if (registers.values[i] == kMark) places_[i] = at;
    }
  }

  void Write(const arch::UnwindRegisters& registers, ucontext_t* context) const {
    for (uint32_t i = 0; i < arch::kDwarfRegisters; ++i) {
      memcpy(reinterpret_cast<char*>(context) + places_[i], &registers.values[i],
             sizeof registers.values[i]);
    }
  }

 private:
  size_t places_[arch::kDwarfRegisters] = {};
};

}  // namespace stillframe::fault
