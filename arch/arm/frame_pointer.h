// SPDX-License-Identifier: Apache-2.0
// Callers of A32 code without call frame information but with frame pointers, as clang builds it.
// Functions begin with push {..., fp, lr}; add fp, sp, #n and end with pop {..., fp, pc}.
//
// The code ahead shows whether the interrupted function has its frame: at each place the stack is
// the same on all paths onward. The push before pc lists the registers of the frame. A function
// without a push has no frame. Source: Arm ARM (DDI 0406C), A8.8.
// Context: signal
#pragma once

#include <cstdint>

namespace stillframe::arch {

constexpr uint32_t kA32FramePointer = 11;
constexpr uint32_t kA32Sp = 13;
constexpr uint32_t kA32Lr = 14;
constexpr uint32_t kA32Pc = 15;

// `Load32` reports failed loads.
template <bool (*Load32)(uintptr_t address, uint32_t* value)>
class A32Frame {
 public:
  explicit A32Frame(const uintptr_t* registers) : registers_(registers) {}

  // Finds the caller of the interrupted instruction, or of a return address. False where the code
  // does not show it.
  bool Find(bool is_call) {
    uintptr_t record = registers_[kA32FramePointer];
    bool is_known = true;
    if (!is_call) {
      switch (Look(registers_[kA32Pc])) {
        case Place::kUnknown: is_known = false; break;
        case Place::kNoFrame:
          return_address_ = registers_[kA32Lr];
          frame_pointer_ = record;
          sp_ = registers_[kA32Sp] + bytes_;
          return true;
        case Place::kPushed: record = registers_[kA32Sp] + bytes_; break;
        case Place::kFramed: break;
      }
    }
    return ReadRecord(record) && FindPush(registers_[kA32Pc] - kInstruction) &&
           (is_known || IsCalledThere());
  }

  uintptr_t return_address() const { return return_address_; }

  // Writes the caller's registers. Registers that calls may change are left as they are.
  bool Restore(uintptr_t* registers) const {
    uintptr_t at = record_;
    for (uint32_t i = kA32FramePointer; i-- > 0 && push_ != 0;) {
      uint32_t saved = 0;
      if ((push_ >> i & 1) == 0) continue;
      at -= kWord;
      if (!Load32(at, &saved)) return false;
      if (i >= 4) registers[i] = saved;
    }
    registers[kA32FramePointer] = frame_pointer_;
    registers[kA32Sp] = sp_;
    registers[kA32Lr] = return_address_;
    registers[kA32Pc] = return_address_;
    return true;
  }

 private:
  static constexpr uintptr_t kWord = 4;
  static constexpr uintptr_t kInstruction = 4;
  static constexpr uint32_t kMaxAhead = 128;
  static constexpr uint32_t kMaxBehind = 4096;
  static constexpr uintptr_t kMaxFrameBytes = 1U << 16;

  enum class Place : uint8_t {
    kUnknown,
    kNoFrame,  // lr is the return address
    kPushed,   // pushed, but the frame pointer is not set yet
    kFramed,
  };

  static bool IsPushOfFrame(uint32_t code) { return (code & 0xffff4800) == 0xe92d4800; }
  // Matches add fp, sp, #n and mov fp, sp.
  static bool SetsFramePointer(uint32_t code, uintptr_t* bytes) {
    *bytes = code & 0xff;
    if (code == 0xe1a0b00d) *bytes = 0;
    return code == 0xe1a0b00d || (code & 0xffffff00) == 0xe28db000;
  }
  // Matches add or sub sp, sp, #n, with n rotated.
  static bool MovesStack(uint32_t code, uintptr_t* bytes) {
    const bool is_add = (code & 0xfffff000) == 0xe28dd000;
    const uint32_t by = code >> 7 & 0x1e;
    const uint32_t byte = code & 0xff;
    const uint32_t value = by == 0 ? byte : byte >> by | byte << (32 - by);
    *bytes = is_add ? uintptr_t{value} : -uintptr_t{value};
    return is_add || (code & 0xfffff000) == 0xe24dd000;
  }
  // A call, or an instruction that drops the frame.
  static bool NeedsFrame(uint32_t code) {
    const bool is_blx = code >> 25 == 0x7d;
    const uint32_t unconditional = code & 0x0fffffff;
    return is_blx || (code >> 28 != 15 && ((unconditional & 0x0f000000) == 0x0b000000 ||  // bl
                                           (unconditional & 0x0ffffff0) == 0x012fff30 ||  // blx
                                           unconditional == 0x01a0d00b ||  // mov sp, fp
                                           (unconditional & 0x0ffff000) == 0x024bd000));  // sub
  }
  static bool IsPop(uint32_t code) { return (code & 0x0fff0000) == 0x08bd0000; }
  // A pop that includes fp and lr or pc.
  static bool IsPopOfFrame(uint32_t code) { return (code & 0x0800) != 0 && (code & 0xc000) != 0; }
  // An unconditional write to pc other than a direct branch.
  static bool EndsCode(uint32_t code) {
    if (code >> 28 != 14) return false;
    const bool is_load = (code & 0x0c10f000) == 0x0410f000 || (code & 0x0e108000) == 0x08108000;
    const bool is_compare_or_other = (code & 0x01800000) == 0x01000000;
    const bool is_computed = (code & 0x0c00f000) == 0x0000f000 && !is_compare_or_other;
    return is_load || is_computed || (code & 0x0ffffff0) == 0x012fff10;
  }

  Place Look(uintptr_t pc) {
    bytes_ = 0;
    for (uint32_t i = 0; i < kMaxAhead; ++i, pc += kInstruction) {
      uint32_t code = 0;
      uintptr_t bytes = 0;
      if (!Load32(pc, &code)) return Place::kUnknown;
      // bx lr; in a linkage stub, ldr pc, [ip, #n]!
      if ((code & 0x0fffffff) == 0x012fff1e || (code & 0xfffff000) == 0xe5bcf000)
        return Place::kNoFrame;
      if (IsPushOfFrame(code)) return Place::kNoFrame;
      if (SetsFramePointer(code, &bytes)) {
        bytes_ += bytes;
        return Place::kPushed;
      }
      if (NeedsFrame(code)) return Place::kFramed;
      if (IsPop(code)) return IsPopOfFrame(code) ? Place::kFramed : Place::kUnknown;
      if (EndsCode(code)) return Place::kUnknown;
      if (MovesStack(code, &bytes)) bytes_ += bytes;
      if (code >> 24 == 0xea) pc = BranchTarget(pc, code) - kInstruction;  // b
    }
    return Place::kUnknown;
  }

  bool ReadRecord(uintptr_t record) {
    const uintptr_t sp = registers_[kA32Sp];
    uint32_t frame_pointer = 0;
    uint32_t return_address = 0;
    if (record % kWord != 0 || record < sp || record - sp > kMaxFrameBytes ||
        !Load32(record, &frame_pointer) || !Load32(record + kWord, &return_address))
      return false;
    record_ = record;
    sp_ = record + 2 * kWord;
    frame_pointer_ = frame_pointer;
    return_address_ = return_address;
    return true;
  }

  // Finds the function's own push: the nearest one before pc.
  bool FindPush(uintptr_t pc) {
    uint32_t after = 0;
    for (uint32_t i = 0; i < kMaxBehind; ++i, pc -= kInstruction) {
      uint32_t code = 0;
      uintptr_t bytes = 0;
      if (!Load32(pc, &code)) return false;
      // `add fp, sp, #n` skips the registers pushed below fp and lr.
      if (IsPushOfFrame(code)) {
        push_at_ = pc;
        push_ = code & 0x07ff;
        return i == 0 || !SetsFramePointer(after, &bytes) || bytes == kWord * CountBits(push_);
      }
      after = code;
    }
    return false;
  }

  // Whether the call before the return address leads to the function that contains the push.
  bool IsCalledThere() const {
    constexpr uintptr_t kMaxBeforePush = 64;
    const uintptr_t call = return_address_ - kInstruction;
    uint32_t code = 0;
    if (return_address_ % kInstruction != 0 || !Load32(call, &code) || code >> 24 != 0xeb)
      return false;
    return push_at_ - BranchTarget(call, code) <= kMaxBeforePush;
  }

  static uintptr_t BranchTarget(uintptr_t at, uint32_t code) {
    const uint32_t distance = (code & 0x00ffffff) << 2;
    return at + 2 * kInstruction + distance - ((code & 0x00800000) != 0 ? uintptr_t{1} << 26 : 0);
  }

  static uint32_t CountBits(uint32_t bits) {
    uint32_t count = 0;
    for (; bits != 0; bits &= bits - 1) ++count;
    return count;
  }

  const uintptr_t* registers_;
  uintptr_t bytes_ = 0;
  uintptr_t push_at_ = 0;
  uint32_t push_ = 0;  // registers below fp
  uintptr_t record_ = 0;
  uintptr_t frame_pointer_ = 0;
  uintptr_t return_address_ = 0;
  uintptr_t sp_ = 0;
};

}  // namespace stillframe::arch
