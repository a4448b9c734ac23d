// SPDX-License-Identifier: Apache-2.0
// The header before compiled code and the first sizes in CodeInfo, inline, since a walk reads them
// for each method. Sources: see src/walk/compiled_code.h
#pragma once

#include <cstdint>

#include "src/walk/bit_cursor.h"
#include "src/walk/compiled_code.h"

namespace stillframe::walk {

inline constexpr uint32_t kCodeInfoMark = 1U << 30;
inline constexpr uint32_t kOffsetMask = (1U << 30) - 1;
inline constexpr uint32_t kSizeMask = (1U << 31) - 1;
inline constexpr uint32_t kMaxCodeBytes = 1U << 24;
inline constexpr uint32_t kMaxFrameBytes = 1U << 20;

struct CodeSizes {
  uint32_t code_bytes;  // from ART 12 on
  uint32_t frame_bytes;
};

// Reads the first kCount numbers, while they fit into a window of eight bytes.
template <uint32_t kCount>
class FirstNumbers {
 public:
  explicit FirstNumbers(uint64_t window)
      : small_(window), large_(window >> (kCount * BitCursor::kSmallBits)) {}

  // False: the number exceeds the window.
  [[gnu::always_inline]] bool Next(uint32_t* number) {
    const auto small = static_cast<uint32_t>(small_) & 15;
    small_ >>= BitCursor::kSmallBits;
    *number = small;
    if (small <= BitCursor::kMaxSmall) return true;
    const uint32_t bits = (small - BitCursor::kMaxSmall) * 8;
    if (bits > left_) return false;
    *number = static_cast<uint32_t>(large_ & ((uint64_t{1} << bits) - 1));
    large_ >>= bits;
    left_ -= bits;
    return true;
  }

 private:
  uint64_t small_;
  uint64_t large_;
  uint32_t left_ = 64 - kCount * BitCursor::kSmallBits;
};

// Reads a header whose sizes are in its first eight bytes, as nearly all are. False: use
// ReadSizesInFull.
[[gnu::always_inline]] inline bool ReadSizesAtOnce(const Layout& layout, uintptr_t info,
                                                   CodeSizes* sizes) {
  uint64_t window = 0;
  uint32_t flags = 0;
  uint32_t frame = 0;
  *sizes = {};
  if (!arch::GuardedLoad64(info, &window)) return false;
  switch (layout.code_info) {
    case CodeInfoForm::kNone: return false;
    case CodeInfoForm::k10: {
      if (!FirstNumbers<1>(window).Next(&frame)) return false;
      break;
    }
    case CodeInfoForm::k11: {
      FirstNumbers<6> numbers(window);
      if (!numbers.Next(&flags) || !numbers.Next(&frame)) return false;
      break;
    }
    case CodeInfoForm::k12:
    case CodeInfoForm::k14: {
      FirstNumbers<7> numbers(window);
      if (!numbers.Next(&flags) || !numbers.Next(&sizes->code_bytes) || !numbers.Next(&frame))
        return false;
      break;
    }
  }
  sizes->frame_bytes = frame * arch::kStackAlignment;
  return true;
}

// For any header; false if it is unreadable.
bool ReadSizesInFull(const Layout& layout, uintptr_t info, CodeSizes* sizes);

inline bool HasPlausibleSizes(const CompiledCode& code) {
  return code.bytes != 0 && code.bytes <= kMaxCodeBytes && code.frame_bytes <= kMaxFrameBytes;
}

// LoadCompiledCode, inlined.
[[gnu::always_inline]] inline bool LoadCodeHeader(const Layout& layout, uintptr_t entry_point,
                                                  CompiledCode* code) {
  uint32_t before = 0;
  code->begin = entry_point & ~uintptr_t{arch::kCodePointerMask};
  if (code->begin < 24 || !arch::GuardedLoad32(code->begin - 4, &before)) return false;
  uint32_t offset = before & kOffsetMask;
  switch (layout.method_header) {
    case MethodHeader::kFrameInfo:
      code->bytes = before & kSizeMask;
      code->info = 0;
      return arch::GuardedLoad32(code->begin - 16, &code->frame_bytes) && HasPlausibleSizes(*code);
    case MethodHeader::kVmapOffsetAndSize:
      code->bytes = before & kSizeMask;
      if (!arch::GuardedLoad32(code->begin - 8, &offset)) return false;
      break;
    case MethodHeader::kCodeInfoOffset:
      if ((before & kCodeInfoMark) == 0) return false;
      break;
    case MethodHeader::kPlainCodeInfoOffset:
      if (before != offset) return false;
      break;
  }
  if (offset == 0 || offset > code->begin) return false;
  code->info = code->begin - offset;
  CodeSizes sizes = {};
  if (!ReadSizesAtOnce(layout, code->info, &sizes)) {
    if (!ReadSizesInFull(layout, code->info, &sizes)) return false;
  }
  if (layout.method_header != MethodHeader::kVmapOffsetAndSize) code->bytes = sizes.code_bytes;
  code->frame_bytes = sizes.frame_bytes;
  return HasPlausibleSizes(*code);
}

}  // namespace stillframe::walk
