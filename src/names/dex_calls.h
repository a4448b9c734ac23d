// SPDX-License-Identifier: Apache-2.0
// The calls in a method's bytecode, and single opcodes.
// Source: the dex format (source.android.com, "Dalvik bytecode" and "Dalvik executable instruction
// formats"); ART 10.0.0_r36 libdexfile/dex/dex_instruction_list.h for the quickened instructions.
#pragma once

#include <cstdint>
#include <vector>

namespace stillframe::names {

struct DexCall {
  uint32_t dex_pc;
  uint32_t method_index;  // UINT32_MAX: quickened, so unknown
};

// Reads the standard code item at an address by guarded loads. False: not one, or unmapped.
bool ReadDexCalls(uintptr_t code_item, std::vector<DexCall>* calls);

// The opcode at dex_pc; 0 (nop): none, or unmapped.
uint8_t DexOpcodeAt(uintptr_t code_item, uint32_t dex_pc);

}  // namespace stillframe::names
