// SPDX-License-Identifier: Apache-2.0
// A decoder for the memory operands of the instructions that compilers write into the handler.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2 and
// appendix A (opcode map).
#include "bench/native/touched_lines.h"

#include <asm/prctl.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <iterator>

#include "bench/native/instruction_count.h"

namespace bench {
namespace {

// In the order of the numbers in instructions.
constexpr int kRegisters[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                              REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                              REG_R12, REG_R13, REG_R14, REG_R15};
constexpr uint32_t kStackPointer = 4;
constexpr uint32_t kFramePointer = 5;

// A set that keeps the order of insertion. Written by the trap's handler.
struct LineSet {
  static constexpr size_t kMost = 2048;
  static constexpr size_t kSlots = 4 * kMost;

  TouchedLines::Line lines[kMost];
  uint16_t slots[kSlots];  // 1 + place in lines; 0: free
  size_t count;

  bool Add(uintptr_t address, uintptr_t pc) {
    const uintptr_t line = address & ~(TouchedLines::kLineBytes - 1);
    size_t slot = line / TouchedLines::kLineBytes * 0x9e3779b97f4a7c15 >> 32;
    for (;; ++slot) {
      const uint16_t place = slots[slot % kSlots];
      if (place == 0) break;
      if (lines[place - 1].address == line) return true;
    }
    if (count == kMost) return false;
    lines[count] = {line, pc};
    slots[slot % kSlots] = static_cast<uint16_t>(++count);
    return true;
  }
  void Clear() {
    memset(slots, 0, sizeof slots);
    count = 0;
  }
};
LineSet g_data;
LineSet g_code;
uintptr_t g_unknown_pc = 0;
bool g_is_full = false;
uintptr_t g_fs_base = 0;

// One instruction before it runs.
class Instruction {
 public:
  explicit Instruction(const ucontext_t& thread)
      : thread_(thread), pc_(Register(REG_RIP)), next_(reinterpret_cast<const uint8_t*>(pc_)) {}

  // False if the instruction is not known.
  bool TouchOperands() {
    ReadPrefixes();
    const uint8_t opcode = *next_++;
    if (opcode == 0x0f) return TouchOfSecondMap(*next_++);
    if (opcode == 0xc4 || opcode == 0xc5 || opcode == 0x62) return false;  // AVX
    return TouchOfFirstMap(opcode);
  }

 private:
  uintptr_t Register(int which) const {
    return static_cast<uintptr_t>(thread_.uc_mcontext.gregs[which]);
  }
  uintptr_t Numbered(uint32_t number) const { return Register(kRegisters[number]); }

  void ReadPrefixes() {
    for (;; ++next_) {
      switch (*next_) {
        case 0x66: is_short_ = true; continue;
        case 0x67: is_narrow_ = true; continue;
        case 0xf2: is_f2_ = true; continue;
        case 0xf3: is_f3_ = true; continue;
        case 0x64: segment_base_ = g_fs_base; continue;
        case 0x26:
        case 0x2e:
        case 0x36:
        case 0x3e:
        case 0xf0: continue;  // lock, or no effect
        default: break;
      }
      break;
    }
    if ((*next_ & 0xf0) == 0x40) rex_ = *next_++;
  }

  uint32_t WordBytes() const { return (rex_ & 8) != 0 ? 8 : is_short_ ? 2 : 4; }
  uint32_t ImmediateBytes() const { return is_short_ ? 2 : 4; }

  static void Touch(uintptr_t address, uint32_t bytes, uintptr_t pc) {
    if (!g_data.Add(address, pc) || !g_data.Add(address + bytes - 1, pc)) g_is_full = true;
  }
  void Touch(uintptr_t address, uint32_t bytes) const { Touch(address, bytes, pc_); }
  void Push() const { Touch(Numbered(kStackPointer) - 8, 8); }
  void Pop() const { Touch(Numbered(kStackPointer), 8); }

  // The part of ModRM that selects a register or an operation.
  uint32_t Selected() const { return *next_ >> 3 & 7; }

  // The operand of ModRM at next_, if it is in memory. `after`: bytes of the immediate that
  // follows.
  void TouchModrm(uint32_t bytes, uint32_t after) {
    const uint32_t mode = *next_ >> 6;
    uint32_t base = *next_ & 7;
    if (mode == 3) return;
    ++next_;
    uintptr_t address = segment_base_;
    bool has_base = true;
    if (base == kStackPointer) {
      const uint8_t scaled = *next_++;
      const uint32_t index = (scaled >> 3 & 7) | (rex_ & 2U) << 2;
      if (index != kStackPointer) address += Numbered(index) << (scaled >> 6);
      base = scaled & 7;
      has_base = base != kFramePointer || mode != 0;
    } else if (base == kFramePointer && mode == 0) {
      int32_t offset = 0;
      memcpy(&offset, next_, sizeof offset);
      const uintptr_t end = reinterpret_cast<uintptr_t>(next_) + sizeof offset + after;
      return Touch(address + end + static_cast<uintptr_t>(intptr_t{offset}), bytes);
    }
    if (has_base) address += Numbered(base | (rex_ & 1U) << 3);
    if (mode == 1) {
      address += static_cast<uintptr_t>(intptr_t{static_cast<int8_t>(*next_)});
    } else if (mode == 2 || !has_base) {
      int32_t offset = 0;
      memcpy(&offset, next_, sizeof offset);
      address += static_cast<uintptr_t>(intptr_t{offset});
    }
    Touch(is_narrow_ ? address & UINT32_MAX : address, bytes);
  }

  bool TouchOfFirstMap(uint8_t opcode) {
    const uint32_t bytes = (opcode & 1) != 0 ? WordBytes() : 1;
    if (opcode < 0x40) {
      if ((opcode & 7) < 4) TouchModrm(bytes, 0);
      return (opcode & 7) < 6;
    }
    switch (opcode & 0xf8) {
      case 0x50: Push(); return true;
      case 0x58: Pop(); return true;
      case 0x70:
      case 0x78:
      case 0x90:
      case 0xb0:
      case 0xb8: return true;
      case 0x88:
        if (opcode < 0x8c) TouchModrm(bytes, 0);
        return opcode < 0x8c || opcode == 0x8d;
      default: break;
    }
    switch (opcode) {
      case 0x63: TouchModrm(4, 0); return true;
      case 0x68:
      case 0x6a: Push(); return true;
      case 0x69: TouchModrm(bytes, ImmediateBytes()); return true;
      case 0x6b: TouchModrm(bytes, 1); return true;
      case 0x80:
      case 0x83:
      case 0xc0:
      case 0xc1:
      case 0xc6: TouchModrm(bytes, 1); return true;
      case 0x81:
      case 0xc7: TouchModrm(bytes, ImmediateBytes()); return true;
      case 0x84:
      case 0x85:
      case 0x86:
      case 0x87: TouchModrm(bytes, 0); return true;
      case 0xd0:
      case 0xd1:
      case 0xd2:
      case 0xd3: TouchModrm(bytes, 0); return true;
      case 0x98:
      case 0x99:
      case 0xa8:
      case 0xa9:
      case 0xe9:
      case 0xeb: return true;
      case 0xa4:
      case 0xa5: Touch(Register(REG_RSI), bytes); [[fallthrough]];
      case 0xaa:
      case 0xab: Touch(Register(REG_RDI), bytes); return true;
      case 0xc2:
      case 0xc3: Pop(); return true;
      case 0xc9: Touch(Register(REG_RBP), 8); return true;
      case 0xe8: Push(); return true;
      case 0xf6: TouchModrm(1, Selected() < 2 ? 1 : 0); return true;
      case 0xf7: TouchModrm(bytes, Selected() < 2 ? ImmediateBytes() : 0); return true;
      case 0xfe: TouchModrm(1, 0); return true;
      case 0xff: {
        const uint32_t selected = Selected();
        if (selected == 2 || selected == 6) Push();
        TouchModrm(selected < 2 ? bytes : 8, 0);
        return selected != 3 && selected != 5 && selected != 7;
      }
      default: return false;
    }
  }

  bool TouchOfSecondMap(uint8_t opcode) {
    switch (opcode) {
      case 0x05:
      case 0x31:
      case 0x1e:
      case 0x1f: return true;  // system call, clock, no operation
      case 0x18:
      case 0x0d: return true;              // prefetch
      case 0x01: return *next_ >> 6 == 3;  // rdtscp
      case 0xae: return *next_ >> 6 == 3;  // fences
      case 0xb0:
      case 0xc0:
      case 0xb6:
      case 0xbe: TouchModrm(1, 0); return true;
      case 0xb7:
      case 0xbf: TouchModrm(2, 0); return true;
      case 0xa3:
      case 0xab:
      case 0xb3:
      case 0xbb: return *next_ >> 6 == 3;  // bits beyond a word
      case 0xaf:
      case 0xb1:
      case 0xc1:
      case 0xa5:
      case 0xad:
      case 0xb8:
      case 0xbc:
      case 0xbd: TouchModrm(WordBytes(), 0); return true;
      case 0xa4:
      case 0xac:
      case 0xba: TouchModrm(WordBytes(), 1); return true;
      case 0x12:
      case 0x13:
      case 0x16:
      case 0x17:
      case 0xd6: TouchModrm(8, 0); return true;
      case 0x6e: TouchModrm(WordBytes(), 0); return true;
      case 0x7e: TouchModrm(is_f3_ ? 8 : WordBytes(), 0); return true;
      case 0x70:
      case 0xc2:
      case 0xc4:
      case 0xc5:
      case 0xc6: TouchModrm(16, 1); return true;
      case 0x38:
      case 0x3a: return false;
      default: break;
    }
    switch (opcode & 0xf0) {
      case 0x40: TouchModrm(WordBytes(), 0); return true;
      case 0x80: return true;
      case 0x90: TouchModrm(1, 0); return true;
      case 0x10:
      case 0x20:
      case 0x50: TouchModrm(is_f3_ ? 4 : is_f2_ ? 8 : 16, 0); return true;
      case 0x60:
      case 0x70:
      case 0xd0:
      case 0xe0:
      case 0xf0: TouchModrm(16, 0); return true;
      case 0xc0: return opcode >= 0xc8;  // bswap
      default: return false;
    }
  }

  const ucontext_t& thread_;
  uintptr_t pc_;
  const uint8_t* next_;
  bool is_short_ = false;
  bool is_narrow_ = false;  // addresses of 32 bits
  bool is_f2_ = false;
  bool is_f3_ = false;
  uint8_t rex_ = 0;
  uintptr_t segment_base_ = 0;
};

void See(const ucontext_t& thread) {
  const auto pc = static_cast<uintptr_t>(thread.uc_mcontext.gregs[REG_RIP]);
  if (!g_code.Add(pc, pc)) g_is_full = true;
  if (!Instruction(thread).TouchOperands() && g_unknown_pc == 0) g_unknown_pc = pc;
}

}  // namespace

void TouchedLines::Begin() {
  g_data.Clear();
  g_code.Clear();
  g_unknown_pc = 0;
  g_is_full = false;
  syscall(SYS_arch_prctl, ARCH_GET_FS, &g_fs_base);
  InstructionCount::Begin(See);
}

bool TouchedLines::End() {
  InstructionCount::End();
  return g_unknown_pc == 0 && !g_is_full;
}

TouchedLines::Lines TouchedLines::Data() { return {g_data.lines, g_data.count}; }
TouchedLines::Lines TouchedLines::Code() { return {g_code.lines, g_code.count}; }

uint64_t TouchedLines::Unknown() {
  uint64_t bytes = 0;
  if (g_unknown_pc != 0) memcpy(&bytes, reinterpret_cast<const void*>(g_unknown_pc), sizeof bytes);
  return bytes;
}

}  // namespace bench
