// SPDX-License-Identifier: Apache-2.0
// Finds the dex files that were compiled ahead of time into one oat file, by whose numbers its code
// names the methods of an app's other dex files that are inlined into it (ART 13 and later).
#pragma once

#include <cstdint>

#include "src/names/dex_file.h"
#include "src/walk/layout.h"

namespace stillframe::names {

// The dex file of number `index` in the oat file that `dex_file`, an art::DexFile*, was compiled
// into. False where it was not, or that does not show.
bool FindOatDexFile(const walk::Layout& layout, uintptr_t dex_file, uint32_t index,
                    DexPlace* place);

}  // namespace stillframe::names
