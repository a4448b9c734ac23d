// SPDX-License-Identifier: Apache-2.0
// The slot in which a loaded library keeps the address of an imported function.
// Context: start-up only; takes the dynamic linker's lock
#pragma once

#include <cstdint>

namespace stillframe::elf {

// The slot for `symbol` in the first library whose path ends with `path_end` and that has one.
// Null: no such library calls the function through a slot. Reads only the call relocations
// (DT_JMPREL), which the dynamic linker has already processed.
uintptr_t* FindImportSlot(const char* path_end, const char* symbol);

// Stores `value` in a slot that holds `expected`. Makes its page writable if needed and restores
// the protection. False, with nothing changed, if that fails or the slot holds another value.
// Remaining risk: another component that makes the same page writable at the same moment may find
// it protected again.
bool SetImportSlot(uintptr_t* slot, uintptr_t expected, uintptr_t value);

}  // namespace stillframe::elf
