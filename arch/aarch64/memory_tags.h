// SPDX-License-Identifier: Apache-2.0
// Tags of memory and of pointers on aarch64.
//
// Problem: guarded loads read what may be gone, and past the ends of objects: where memory has
// tags (FEAT_MTE), with one that is not the memory's. Such a load faults like one of an address
// that is not there, or, where the process has asked for asynchronous checks, succeeds and kills
// the process later. Rule: who reads the runtime's memory has the CPU leave tags unchecked
// meanwhile.
// Source: Arm Architecture Reference Manual, D10.4 (PSTATE.TCO) and D8.8 (the CPU
// ignores the upper byte of addresses of data); Linux Documentation/arch/arm64/elf_hwcaps.rst.
// Context: any thread
#pragma once

#include <sys/auxv.h>

#include <atomic>
#include <cstdint>

namespace stillframe::arch {

// The place in memory that a pointer names: without the tag in its upper byte, which loads ignore
// and comparisons do not. HWASan, MTE and Android's allocators tag pointers.
inline uintptr_t Untagged(uintptr_t address) { return address & (~uintptr_t{0} >> 8); }

// Whether loads of the calling thread are compared with the tags of what they read. Nobody has to
// put that back at the end of a signal's handler: the kernel has it begin with checks (Linux
// arch/arm64/kernel/signal.c, setup_return), and gives the thread its own PSTATE back. A thread
// begins with the PSTATE of the one that made it.
class TagChecks {
 public:
  // Whether this CPU tags memory. Before it, and where not so, there is nothing to switch.
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
  // Written once, before anything is switched; nothing hangs on it.
  inline static std::atomic<bool> has_tags_{false};
};

}  // namespace stillframe::arch
