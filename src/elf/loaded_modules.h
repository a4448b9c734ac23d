// SPDX-License-Identifier: Apache-2.0
// Finds the dynamic linker's list of libraries for the unwinder of native frames.
// Context: start-up only; takes the linker's lock where the list is not to be found
#pragma once

#include "src/unwind/code_modules.h"

namespace stillframe::elf {

// Adds all loaded libraries, and connects `modules` to the linker's list.
void OpenLoadedModules(unwind::CodeModules* modules);

}  // namespace stillframe::elf
