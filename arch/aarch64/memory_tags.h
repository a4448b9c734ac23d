// SPDX-License-Identifier: Apache-2.0
// Tags of memory and of pointers on aarch64.
//
// Problem: guarded loads read memory that may be gone, and past the ends of objects. With FEAT_MTE
// the pointer's tag then differs from the memory's. Such a load faults, or, with asynchronous
// checks, succeeds and kills the process later.
// Rule: code that reads the runtime's memory switches tag checks off for that time.
// Source: Arm Architecture Reference Manual, D10.4 (PSTATE.TCO) and D8.8 (the CPU
// ignores the upper byte of addresses of data); Linux Documentation/arch/arm64/elf_hwcaps.rst.
// Context: any thread
#pragma once

#include <sys/auxv.h>

#include <atomic>
#include <cstdint>

namespace stillframe::arch {

// The address without the tag in its upper byte. Loads ignore the tag, comparisons do not. HWASan,
// MTE and Android's allocators tag pointers.
inline uintptr_t Untagged(uintptr_t address) { return address & (~uintptr_t{0} >> 8); }

// Switches tag checks of the calling thread's loads. A signal handler need not restore them: the
// kernel starts it with checks on (Linux arch/arm64/kernel/signal.c, setup_return) and restores the
// thread's PSTATE. A new thread inherits its creator's PSTATE.
class TagChecks {
 public:
  // Finds out whether this CPU tags memory. Without a call, or without tags, the switches do
  // nothing.
  // Context: start-up only
  static void Prepare() {
    constexpr unsigned long kHasTags = 1UL << 18;  // HWCAP2_MTE
    has_tags_.store((getauxval(AT_HWCAP2) & kHasTags) != 0, std::memory_order_relaxed);
  }
  static bool has_tags() { return has_tags_.load(std::memory_order_relaxed); }

  [[gnu::always_inline]] static void SwitchOff() {
    if (has_tags()) asm volatile(".inst 0xd503419f" : : : "memory");  // msr tco, #1
  }
  [[gnu::always_inline]] static void SwitchOn() {
    if (has_tags()) asm volatile(".inst 0xd503409f" : : : "memory");  // msr tco, #0
  }

 private:
  // Written once, before any switch. Relaxed: it guards nothing.
  inline static std::atomic<bool> has_tags_{false};
};

}  // namespace stillframe::arch
