// SPDX-License-Identifier: Apache-2.0
// Lists the libraries of the process for the steps over native frames.
// Context: start-up only; takes the dynamic linker's lock
#pragma once

#include "src/unwind/code_modules.h"

namespace stillframe::elf {

// Adds what is loaded and not known yet.
void AddLoadedModules(unwind::CodeModules* modules);

}  // namespace stillframe::elf
