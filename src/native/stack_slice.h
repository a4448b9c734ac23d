// SPDX-License-Identifier: Apache-2.0
// A copied slice of a stack, made such that whoever walks stacks can walk it where it lies now.
//
// What in the copied words, and in the registers, points into the slice is moved to where the slice
// lies; what points to a part of the stack that was not copied leads to memory that cannot be read,
// so that guarded loads fail there and nothing of the thread's later life is taken for the past.
// Surviving risk: a word that only looks like an address of the stack is changed too; it is a
// number then, which no rule of a frame reads.
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

  // Room for copies of that many bytes. False when there is no memory.
  bool Create(uint32_t bytes);
  uint32_t capacity() const { return capacity_; }

  // `copy.bytes` of `words`, at most the capacity, of a stack that ends at `stack_low` and
  // `stack_high`.
  void Load(const core::StackCopy& copy, const uintptr_t* words, uintptr_t stack_low,
            uintptr_t stack_high);

  // What a word of the copied stack is here.
  uintptr_t Here(uintptr_t word) const {
    const uintptr_t there = arch::Untagged(word);
    if (there - begin_ < bytes_) return there + delta_;
    return there >= stack_low_ && there < stack_high_ ? lost_ + there % kLostBytes : word;
  }
  bool Holds(uintptr_t here) const { return here - low() < bytes_; }

  uintptr_t low() const { return begin_ + delta_; }
  uintptr_t high() const { return low() + bytes_; }
  const arch::UnwindRegisters& registers() const { return registers_; }
  // Of the thread, as they are here.
  const uintptr_t* thread_words() const { return thread_words_; }

 private:
  void MoveHalfAligned(const uintptr_t* words);

  static constexpr uintptr_t kLostBytes = 1024;

  uintptr_t memory_ = 0;  // the slice, then what cannot be read
  size_t memory_bytes_ = 0;
  uint32_t capacity_ = 0;
  uintptr_t closed_ = 0;  // from here on nothing can be read
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
