// SPDX-License-Identifier: Apache-2.0
// Where a loaded library keeps the address of a function that it calls in another library.
// Context: start-up only; takes the dynamic linker's lock
#pragma once

#include <cstdint>

namespace stillframe::elf {

// The slot for `symbol` in the first library whose path ends with `path_end` and that has one;
// null: no such library calls that function by way of a slot. Reads only the tables of calls
// (DT_JMPREL), which the dynamic linker itself has worked through.
uintptr_t* FindImportSlot(const char* path_end, const char* symbol);

// Puts `value` into a slot that holds `expected`. Its page is made writable where it is not, and
// gets back the protection that it had. False, with nothing changed, when that fails or somebody
// else has put something there. Remaining risk: another component that makes the same page writable
// at the same moment may find it protected again.
bool SetImportSlot(uintptr_t* slot, uintptr_t expected, uintptr_t value);

}  // namespace stillframe::elf
