// Reads the instructions that compilers copy, clear and link small structures with on aarch64.
// Source: Arm Architecture Reference Manual, C6.2 and C7.2: ADD and SUB (immediate), ADRP, MOV
// (register), LDR, LDUR, LDP, STR, STUR, STP of general and of 128-bit registers.
// Context: signal
#pragma once

#include <cstdint>

#include "arch/aarch64/guarded_load.h"
#include "arch/aarch64/unwind_registers.h"
#include "arch/code_ahead.h"

namespace stillframe::arch {

// A load or a store of one or two registers at base + offset.
struct CodeTransfer {
  uint32_t bytes = 0;  // of one register; 0: it is none
  bool is_pair = false;
  bool is_load = false;
  bool is_vector = false;
  int32_t offset = 0;
};

inline CodeTransfer ReadCodeTransfer(uint32_t code) {
  const auto scaled = static_cast<int32_t>(code >> 10 & 0xfff);
  const auto unscaled = static_cast<int32_t>(code << 11) >> 23;
  const auto pair = static_cast<int32_t>(code << 10) >> 25;
  switch (code & 0xffc00000) {
    case 0xf9000000: return {8, false, false, false, scaled * 8};
    case 0xf9400000: return {8, false, true, false, scaled * 8};
    case 0xb9400000: return {4, false, true, false, scaled * 4};
    case 0x39400000: return {1, false, true, false, scaled};
    case 0x3d800000: return {16, false, false, true, scaled * 16};
    case 0x3dc00000: return {16, false, true, true, scaled * 16};
    case 0xa9000000: return {8, true, false, false, pair * 8};
    case 0xa9400000: return {8, true, true, false, pair * 8};
    case 0xad000000: return {16, true, false, true, pair * 16};
    case 0xad400000: return {16, true, true, true, pair * 16};
    default: break;
  }
  switch (code & 0xffe00c00) {
    case 0xf8000000: return {8, false, false, false, unscaled};
    case 0xf8400000: return {8, false, true, false, unscaled};
    case 0x3c800000: return {16, false, false, true, unscaled};
    case 0x3cc00000: return {16, false, true, true, unscaled};
    default: return {};
  }
}

// Reads an instruction that only changes a register. False for others.
inline bool ReadComputation(uint32_t code, UnwindRegisters* registers, LostRegisters* lost) {
  const uint32_t target = code & 31;
  const uint32_t source = code >> 5 & 31;
  if ((code & 0x9f000000) == 0x90000000) {  // adrp
    lost->Set(target, true);
    return true;
  }
  if ((code & 0xffe0ffe0) == 0xaa0003e0) {  // mov
    const uint32_t moved = code >> 16 & 31;
    registers->values[target] = moved == 31 ? 0 : registers->values[moved];
    lost->Set(target, moved != 31 && lost->Has(moved));
    return target != 31;
  }
  if ((code & 0xbf800000) != 0x91000000) return false;  // add, sub
  const uintptr_t immediate = uintptr_t{code >> 10 & 0xfff} << ((code & 0x00400000) != 0 ? 12 : 0);
  const bool is_sub = (code & 0x40000000) != 0;
  registers->values[target] = registers->values[source] + (is_sub ? 0 - immediate : immediate);
  lost->Set(target, lost->Has(source));
  return true;
}

// Reads the instruction at the registers' pc and goes on to the next.
inline Ahead ReadAhead(UnwindRegisters* registers, LostRegisters* lost, Store* store) {
  uint32_t code = 0;
  if (!GuardedLoad32(registers->pc(), &code)) return Ahead::kEnd;
  const CodeTransfer transfer = ReadCodeTransfer(code);
  const uint32_t first = code & 31;
  const uint32_t second = code >> 10 & 31;
  const uint32_t base = code >> 5 & 31;
  Ahead ahead = Ahead::kOther;
  if (transfer.bytes == 0) {
    if (!ReadComputation(code, registers, lost)) return Ahead::kEnd;
  } else if (!transfer.is_load) {
    if (lost->Has(base)) return Ahead::kEnd;
    const auto value = [&](uint32_t number) {
      return number == 31 ? 0 : registers->values[number];
    };
    const bool is_lost = (first != 31 && lost->Has(first)) ||
                         (transfer.is_pair && second != 31 && lost->Has(second));
    *store = {registers->values[base] + static_cast<uintptr_t>(intptr_t{transfer.offset}),
              transfer.bytes * (transfer.is_pair ? 2 : 1),
              !transfer.is_vector && !is_lost,
              {value(first), value(second)}};
    ahead = Ahead::kStore;
  } else if (!transfer.is_vector) {
    if (first != 31) lost->Set(first, true);
    if (transfer.is_pair && second != 31) lost->Set(second, true);
  }
  registers->values[kDwarfPc] += sizeof code;
  return ahead;
}

}  // namespace stillframe::arch
