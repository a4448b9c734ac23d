// SPDX-License-Identifier: Apache-2.0
// Reads the instructions with which compilers copy, clear and link small structures on x86 and
// x86_64. Their code_ahead.h provide the registers and guarded loads.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2: LEA, MOV, MOVUPS,
// MOVAPS, XORPS; 2.2.1, REX prefixes.
// Context: signal
#pragma once

#include <cstdint>

#include "arch/code_ahead.h"

namespace stillframe::arch {

// A ModRM byte and what follows it: two registers, or a register and memory at base + displacement.
struct CodeOperand {
  uint32_t bytes = 0;
  bool is_memory = false;
  uint32_t reg = 0;   // by DWARF number
  uint32_t base = 0;  // DWARF number; without memory, the other register
  int32_t displacement = 0;
};

// False for other forms: with an index, or pc-relative.
inline bool ReadCodeOperand(uintptr_t at, uint8_t rex, CodeOperand* operand) {
  uint8_t modrm = 0;
  uint8_t sib = 0x24;
  if (!GuardedLoad8(at, &modrm)) return false;
  const uint8_t mode = modrm >> 6;
  const uint8_t reg = (modrm >> 3) & 7;
  const uint8_t base = modrm & 7;
  operand->is_memory = mode != 3;
  operand->reg = (rex & 4) != 0 ? reg + 8U : kEncodingOrder[reg];
  operand->base = (rex & 1) != 0 ? base + 8U : kEncodingOrder[base];
  operand->bytes = 1;
  if (operand->is_memory && base == 4) {
    if (!GuardedLoad8(at + 1, &sib) || sib != 0x24 || (rex & 2) != 0) return false;
    operand->bytes = 2;
  }
  if (mode == 0) return base != 5;
  uint8_t narrow = 0;
  uint32_t wide = 0;
  if (mode == 1) {
    if (!GuardedLoad8(at + operand->bytes, &narrow)) return false;
    operand->displacement = static_cast<int32_t>(narrow ^ 0x80U) - 0x80;  // sign-extended
    operand->bytes += 1;
  } else if (mode == 2) {
    if (!GuardedLoad32(at + operand->bytes, &wide)) return false;
    operand->displacement = static_cast<int32_t>(wide);
    operand->bytes += 4;
  }
  return true;
}

// Reads the instruction at the registers' pc and advances pc to the next one.
inline Ahead ReadAhead(UnwindRegisters* registers, UnknownRegisters* lost, Store* store,
                       Load* load) {
  constexpr bool kHasRex = sizeof(uintptr_t) == 8;
  uintptr_t at = registers->pc();
  uint8_t rex = 0;
  uint8_t opcode = 0;
  if (!GuardedLoad8(at++, &opcode)) return Ahead::kEnd;
  if (kHasRex && (opcode & 0xf0) == 0x40) {
    rex = opcode;
    if (!GuardedLoad8(at++, &opcode)) return Ahead::kEnd;
  }
  const bool is_vector = opcode == 0x0f;
  if (is_vector && !GuardedLoad8(at++, &opcode)) return Ahead::kEnd;
  const bool is_word = !kHasRex || (rex & 8) != 0;
  CodeOperand operand;
  if ((!is_vector && !is_word) || !ReadCodeOperand(at, rex, &operand)) return Ahead::kEnd;
  at += operand.bytes;
  const uintptr_t address =
      registers->values[operand.base] + static_cast<uintptr_t>(intptr_t{operand.displacement});
  const bool is_lost = lost->Has(operand.base);
  const uintptr_t reg = registers->values[operand.reg];
  Ahead ahead = Ahead::kOther;
  if (is_vector) {
    const bool is_store = opcode == 0x11 || opcode == 0x29;
    if (!is_store && opcode != 0x10 && opcode != 0x28 && opcode != 0x57) return Ahead::kEnd;
    if (is_store && operand.is_memory) {
      *store = {address, 16, false, {}};
      ahead = Ahead::kStore;
    }
  } else if (opcode == 0x89 && operand.is_memory) {
    *store = {address, sizeof reg, !lost->Has(operand.reg), {reg, 0}};
    ahead = Ahead::kStore;
  } else if (opcode == 0xc7 && operand.is_memory) {
    uint32_t immediate = 0;
    if (!GuardedLoad32(at, &immediate)) return Ahead::kEnd;
    at += sizeof immediate;
    *store = {
        address, sizeof reg, true, {static_cast<uintptr_t>(static_cast<int32_t>(immediate)), 0}};
    ahead = Ahead::kStore;
  } else if (opcode == 0x8d && operand.is_memory) {
    registers->values[operand.reg] = address;
    lost->Set(operand.reg, is_lost);
  } else if (opcode == 0x8b && operand.is_memory) {
    *load = {address, operand.reg};
    lost->Set(operand.reg, true);
    if (!is_lost) ahead = Ahead::kLoad;
  } else if (opcode == 0x8b) {
    registers->values[operand.reg] = registers->values[operand.base];
    lost->Set(operand.reg, is_lost);
  } else if (opcode == 0x89) {
    registers->values[operand.base] = reg;
    lost->Set(operand.base, lost->Has(operand.reg));
  } else {
    return Ahead::kEnd;
  }
  if (ahead == Ahead::kStore && is_lost) return Ahead::kEnd;
  registers->values[kDwarfPc] = at;
  return ahead;
}

}  // namespace stillframe::arch
