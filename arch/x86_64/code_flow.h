// SPDX-License-Identifier: Apache-2.0
// Lengths and branches of x86_64 instructions, as compilers emit them.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2: 2.1 to 2.3
// (format, REX, VEX), appendix A (opcode maps).
// Context: any thread
#pragma once

#include <cstdint>
#include <string_view>

#include "arch/code_flow.h"

namespace stillframe::arch {

// Operands after an opcode, one letter each: . none; m ModRM; b one byte; B ModRM and a byte; w two
// bytes. z: immediate of the operand size, up to four bytes; Z: ModRM and z; q: immediate of the
// operand size. g and G: test's immediate, if its ModRM asks for one. c call; r return; j and J
// branch (one byte, four); k and K jump; f indirect calls and jumps; t trap. x: not read.
constexpr std::string_view kOneByteMap =
    "mmmmbzxxmmmmbzxx"
    "mmmmbzxxmmmmbzxx"
    "mmmmbzxxmmmmbzxx"
    "mmmmbzxxmmmmbzxx"
    "xxxxxxxxxxxxxxxx"
    "................"
    "xxxmxxxxzZbBxxxx"
    "jjjjjjjjjjjjjjjj"
    "BZxBmmmmmmxmxmxm"
    "..........x....."
    "xxxx....bz......"
    "bbbbbbbbqqqqqqqq"
    "BBwrxxBZx.xxtxxx"
    "mmmmxxx.mmmmmmmm"
    "xxxjxxxxcKxkxxxx"
    "xxxxx.gG..xx..mf";
constexpr std::string_view kTwoByteMap =
    "xxxxxxxxxxxtxmxx"
    "mmmmmmmmmmmmmmmm"
    "xxxxxxxxmmmmmmmm"
    "x.xxxxxxxxxxxxxx"
    "mmmmmmmmmmmmmmmm"
    "mmmmmmmmmmmmmmmm"
    "mmmmmmmmmmmmmmmm"
    "BBBBmmm.xxxxmmmm"
    "JJJJJJJJJJJJJJJJ"
    "mmmmmmmmmmmmmmmm"
    "xx.mBmxxxxxmBmmm"
    "mmmmmmmmmxBmmmmm"
    "mmBmBBBm........"
    "mmmmmmmmmmmmmmmm"
    "mmmmmmmmmmmmmmmm"
    "mmmmmmmmmmmmmmmx";
static_assert(kOneByteMap.size() == 256 && kTwoByteMap.size() == 256);

constexpr uint8_t kLoadAddress = 0x8d;

// Reads the bytes of one instruction in order; fails past the end of the code.
class InstructionBytes {
 public:
  InstructionBytes(const uint8_t* code, uint32_t bytes, uint32_t at)
      : code_(code), bytes_(bytes), begin_(at), at_(at) {}

  uint8_t Next() { return at_ < bytes_ ? code_[at_++] : Fail(); }
  uint8_t Peek() const { return at_ < bytes_ ? code_[at_] : uint8_t{0}; }
  int64_t Signed(uint32_t bytes) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes; ++i) value |= uint64_t{Next()} << (8 * i);
    const uint32_t unused = 64 - 8 * bytes;
    return static_cast<int64_t>(value << unused) >> unused;
  }
  void Skip(uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; ++i) Next();
  }

  uint32_t at() const { return at_; }
  uint32_t length() const { return at_ - begin_; }
  bool ok() const { return ok_ && length() <= 15; }

 private:
  uint8_t Fail() {
    ok_ = false;
    return 0;
  }

  const uint8_t* code_;
  uint32_t bytes_;
  uint32_t begin_;
  uint32_t at_;
  bool ok_ = true;
};

struct InstructionPrefixes {
  bool has_short_operand = false;  // 66
  bool has_wide_operand = false;   // REX.W
  bool is_in_thread = false;       // gs: the runtime's structure of the thread

  uint32_t ImmediateBytes() const { return has_short_operand && !has_wide_operand ? 2 : 4; }
};

// First byte of the opcode; 0x62, which is not read, for invalid prefixes.
inline uint8_t ReadPrefixes(InstructionBytes* in, InstructionPrefixes* prefixes) {
  uint8_t byte = in->Next();
  for (; in->ok(); byte = in->Next())
    if (byte == 0x66)
      prefixes->has_short_operand = true;
    else if (byte == 0x65)
      prefixes->is_in_thread = true;
    else if (byte != 0xf0 && byte != 0xf2 && byte != 0xf3 && byte != 0x2e && byte != 0x36 &&
             byte != 0x3e && byte != 0x26 && byte != 0x64)
      break;
  if ((byte & 0xf0) != 0x40) return byte;
  prefixes->has_wide_operand = (byte & 8) != 0;
  byte = in->Next();
  return (byte & 0xf0) == 0x40 ? uint8_t{0x62} : byte;
}

struct ModRm {
  uint8_t reg;
  bool is_memory;
};

inline ModRm SkipModRm(InstructionBytes* in) {
  const uint8_t modrm = in->Next();
  const uint8_t mode = modrm >> 6;
  uint8_t base = modrm & 7;
  if (mode != 3) {
    const bool has_sib = base == 4;
    if (has_sib) base = in->Next() & 7;
    if (mode == 1) in->Skip(1);
    if (mode == 2 || (mode == 0 && base == 5)) in->Skip(4);
  }
  return {static_cast<uint8_t>(modrm >> 3 & 7), mode != 3};
}

// Letter of kOneByteMap for the opcode after a VEX prefix. `first` is the prefix's first byte.
inline char ReadVexOpcode(uint8_t first, InstructionBytes* in) {
  const uint8_t map = first == 0xc5 ? 1 : in->Next() & 31;
  in->Next();
  const uint8_t opcode = in->Next();
  switch (map) {
    case 1: {
      const char follows = kTwoByteMap[opcode];
      return follows == 'J' || follows == 't' ? 'x' : follows;
    }
    case 2: return 'm';
    case 3: return 'B';
    default: return 'x';
  }
}

inline char ReadOpcode(uint8_t first, InstructionBytes* in) {
  if (first == 0xc4 || first == 0xc5) return ReadVexOpcode(first, in);
  if (first != 0x0f) return kOneByteMap[first];
  const uint8_t second = in->Next();
  if (second == 0x38 || second == 0x3a) {
    in->Next();
    return second == 0x38 ? 'm' : 'B';
  }
  return kTwoByteMap[second];
}

// Reads the instruction at offset `at`. False for code that compilers do not emit, and for one cut
// off by the end.
inline bool ReadCodeFlow(const uint8_t* code, uint32_t bytes, uint32_t at, CodeFlow* flow) {
  *flow = {};
  InstructionBytes in(code, bytes, at);
  InstructionPrefixes prefixes;
  const uint8_t first = ReadPrefixes(&in, &prefixes);
  const char follows = ReadOpcode(first, &in);
  bool has_target = false;
  ModRm modrm = {};
  switch (follows) {
    case '.': break;
    case 'm': modrm = SkipModRm(&in); break;
    case 'b': in.Skip(1); break;
    case 'w': in.Skip(2); break;
    case 'z': in.Skip(prefixes.ImmediateBytes()); break;
    case 'q': in.Skip(prefixes.has_wide_operand ? 8 : prefixes.ImmediateBytes()); break;
    case 'B':
      modrm = SkipModRm(&in);
      in.Skip(1);
      break;
    case 'Z':
      modrm = SkipModRm(&in);
      in.Skip(prefixes.ImmediateBytes());
      break;
    case 'g':
    case 'G':
      modrm = SkipModRm(&in);
      if (modrm.reg < 2) in.Skip(follows == 'g' ? 1 : prefixes.ImmediateBytes());
      flow->is_checked = modrm.reg >= 6;  // div, idiv
      break;
    case 'c':
      in.Skip(4);
      flow->flow = Flow::kCall;
      break;
    case 'r': flow->flow = Flow::kReturn; break;
    case 't': flow->flow = Flow::kStop; break;
    case 'f': {
      modrm = SkipModRm(&in);
      const uint8_t kind = modrm.reg;
      if (kind == 3 || kind == 5 || kind == 7) return false;
      if (kind == 2) flow->flow = prefixes.is_in_thread ? Flow::kRuntimeCall : Flow::kCall;
      if (kind == 4) flow->flow = Flow::kUnknown;
      break;
    }
    case 'j':
    case 'k':
    case 'J':
    case 'K':
      flow->target = in.Signed(follows == 'j' || follows == 'k' ? 1 : 4);
      flow->flow = follows == 'j' || follows == 'J' ? Flow::kBranch : Flow::kJump;
      has_target = true;
      break;
    default: return false;
  }
  flow->bytes = in.length();
  flow->is_checked |= modrm.is_memory && first != kLoadAddress;
  if (has_target) flow->target += in.at();
  return in.ok();
}

// Finds the table of the jump at `at`: cmp n, lea table, movsxd, add, jmp (ART 11
// compiler/optimizing/code_generator_x86_64.cc, VisitPackedSwitch). `before`: offsets of the
// `count` preceding instructions, last one first. False for other jumps.
inline bool ReadJumpTable(const uint8_t* code, uint32_t at, const uint32_t* before, uint32_t count,
                          JumpTable* table) {
  if (count < 5) return false;
  const uint8_t* load = code + before[2];
  const uint8_t* compare = code + before[4];
  if ((load[0] & 0xf8) != 0x48 || load[1] != kLoadAddress || (load[2] & 0xc7) != 5) return false;
  table->table = before[1] + InstructionBytes(code, at, before[2] + 3).Signed(4);
  if ((compare[0] & 0xf8) == 0x40) ++compare;
  const auto immediate = static_cast<uint32_t>(compare - code) + 2;
  if (compare[0] == 0x83 && (compare[1] & 0xf8) == 0xf8)
    table->count = static_cast<uint32_t>(InstructionBytes(code, at, immediate).Signed(1)) + 1;
  else if (compare[0] == 0x81 && (compare[1] & 0xf8) == 0xf8)
    table->count = static_cast<uint32_t>(InstructionBytes(code, at, immediate).Signed(4)) + 1;
  else if (compare[0] == 0x3d)
    table->count = static_cast<uint32_t>(InstructionBytes(code, at, immediate - 1).Signed(4)) + 1;
  return table->count != 0;
}

}  // namespace stillframe::arch
