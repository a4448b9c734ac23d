// SPDX-License-Identifier: Apache-2.0
// Where a loaded library keeps the address of a function that it calls in another library.
// Context: start-up only; takes the dynamic linker's lock
#pragma once

#include <cstdint>

namespace stillframe::elf {

struct ImportSlot {
  uintptr_t* at = nullptr;    // null: the library does not call that function by way of a slot
  bool is_protected = false;  // read-only since the library was loaded
};

// The slot for `symbol` in the library whose path ends with `path_end`. Only the tables that the
// dynamic linker itself has worked through are read, those of calls (DT_JMPREL).
ImportSlot FindImportSlot(const char* path_end, const char* symbol);

// Puts `value` into a slot. False when its page cannot be made writable; then nothing is changed.
bool SetImportSlot(const ImportSlot& slot, uintptr_t value);

}  // namespace stillframe::elf
