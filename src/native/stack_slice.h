// SPDX-License-Identifier: Apache-2.0
// A copied slice of a stack, relocated so that unwinders can walk it in place.
//
// Words and registers that point into the slice are relocated to its copy. Pointers to uncopied
// parts of the stack are redirected to unreadable memory. Guarded loads fail there, so that the
// thread's present stack is never taken for the copied one. Surviving risk: a number that looks
// like a stack address is changed too, but no unwind rule reads numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arch/arch.h"
#include "src/core/stack_copies.h"

namespace stillframe::native {

class StackSlice {
 public:
  StackSlice() = default;
  ~StackSlice();
  StackSlice(const StackSlice&) = delete;
  StackSlice& operator=(const StackSlice&) = delete;

  // Allocates space for copies of up to `bytes`. False without enough memory.
  bool Create(uint32_t bytes);
  uint32_t capacity() const { return capacity_; }

  // Loads `copy.bytes` of `words`, at most the capacity. `stack_low` and `stack_high`: bounds of
  // the whole stack.
  void Load(const core::StackCopy& copy, const uintptr_t* words, uintptr_t stack_low,
            uintptr_t stack_high);

  // Relocates a word of the copied stack.
  uintptr_t Here(uintptr_t word) const {
    const uintptr_t there = arch::Untagged(word);
    if (there - begin_ < bytes_) return there + delta_;
    return there >= stack_low_ && there < stack_high_ ? lost_ + there % kLostBytes : word;
  }
  bool Holds(uintptr_t here) const { return here - low() < bytes_; }

  uintptr_t low() const { return begin_ + delta_; }
  uintptr_t high() const { return low() + bytes_; }
  const arch::UnwindRegisters& registers() const { return registers_; }
  // The copied thread words, relocated.
  const uintptr_t* thread_words() const { return thread_words_; }

 private:
  void MoveHalfAligned(const uintptr_t* words);

  static constexpr uintptr_t kLostBytes = 1024;

  uintptr_t memory_ = 0;  // the slice, then an unreadable page
  size_t memory_bytes_ = 0;
  uint32_t capacity_ = 0;
  uintptr_t closed_ = 0;  // begin of the unreadable page
  uintptr_t lost_ = 0;
  uintptr_t begin_ = 0;
  uint32_t bytes_ = 0;
  uintptr_t delta_ = 0;
  uintptr_t stack_low_ = 0;
  uintptr_t stack_high_ = 0;
  arch::UnwindRegisters registers_ = {};
  uintptr_t thread_words_[core::kThreadWords] = {};
};

}  // namespace stillframe::native
