// SPDX-License-Identifier: Apache-2.0
// Finds the dex files compiled ahead of time into one oat file. Its code names inlined methods of
// the app's other dex files by their numbers (ART 13 and later).
#pragma once

#include <cstdint>

#include "src/names/dex_file.h"
#include "src/walk/layout.h"

namespace stillframe::names {

// Dex file number `index` in the oat file that `dex_file`, an art::DexFile*, was compiled into.
// False: none, or not found.
bool FindOatDexFile(const walk::Layout& layout, uintptr_t dex_file, uint32_t index,
                    DexPlace* place);

}  // namespace stillframe::names
