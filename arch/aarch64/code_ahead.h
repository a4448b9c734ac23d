// SPDX-License-Identifier: Apache-2.0
// Reads the instructions that compilers copy, clear and link small structures with on aarch64.
// Source: Arm Architecture Reference Manual, C6.2: ADD and SUB (immediate), ADRP, MOV (register).
// Context: signal
#pragma once

#include <cstdint>

#include "arch/aarch64/guarded_load.h"
#include "arch/aarch64/memory_access.h"
#include "arch/aarch64/unwind_registers.h"
#include "arch/code_ahead.h"

namespace stillframe::arch {

// Reads an instruction that only changes a register. False for others.
inline bool ReadComputation(uint32_t code, UnwindRegisters* registers, UnknownRegisters* lost) {
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

// Reads the load or store, which changes no base register. False for others.
inline bool ReadTransfer(uint32_t code, const UnwindRegisters& registers, UnknownRegisters* lost,
                         Store* store, Load* load) {
  const MemoryAccess access = ReadMemoryAccess(code);
  const bool is_part_of_word = access.bytes < sizeof(uintptr_t);
  if (access.bytes == 0 || access.writes_back || (!access.is_load && is_part_of_word)) return false;
  const uint32_t base = code >> 5 & 31;
  const bool is_lost = lost->Has(base);
  const uintptr_t address = registers.values[base] + static_cast<uintptr_t>(access.offset);
  uint32_t numbers[] = {code & 31, code >> 10 & 31};
  if (!access.is_pair) numbers[1] = numbers[0];
  if (access.is_load) {
    for (const uint32_t number : numbers)
      if (!access.is_vector && number != 31) lost->Set(number, true);
    if (!access.is_vector && !access.is_pair && !is_part_of_word && !is_lost && numbers[0] != 31)
      *load = {address, numbers[0]};
    return true;
  }
  if (is_lost) return false;
  *store = {address, access.bytes * (access.is_pair ? 2 : 1), !access.is_vector, {}};
  for (uint32_t i = 0; i < 2; ++i) {
    if (numbers[i] == 31) continue;  // zero
    store->is_known = store->is_known && !lost->Has(numbers[i]);
    store->value[i] = registers.values[numbers[i]];
  }
  return true;
}

// Reads the instruction at the registers' pc and advances pc to the next one.
inline Ahead ReadAhead(UnwindRegisters* registers, UnknownRegisters* lost, Store* store,
                       Load* load) {
  uint32_t code = 0;
  if (!GuardedLoad32(registers->pc(), &code)) return Ahead::kEnd;
  *store = {};
  *load = {};
  const bool is_known = IsLoadOrStore(code) ? ReadTransfer(code, *registers, lost, store, load)
                                            : ReadComputation(code, registers, lost);
  if (!is_known) return Ahead::kEnd;
  registers->values[kDwarfPc] += sizeof code;
  if (store->bytes != 0) return Ahead::kStore;
  return load->address != 0 ? Ahead::kLoad : Ahead::kOther;
}

}  // namespace stillframe::arch
