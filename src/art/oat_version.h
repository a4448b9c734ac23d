// SPDX-License-Identifier: Apache-2.0
// The oat file version of this process's runtime. A runtime loads no other version, so the boot
// image identifies the release family, whatever the platform's API level.
// Context: start-up only
#pragma once

#include <cstdint>

#include "src/walk/layout.h"

namespace stillframe::art {

// 0: unknown, since the runtime runs without a boot image.
uint32_t FindOatVersion();

// Reads the version from an oat file's header, "oat\n" and three digits (ART 8 to 16 runtime/oat.h,
// OatHeader). 0: no header at `address`.
uint32_t ReadOatVersion(uintptr_t address);

// Whether a row may apply. True if the version is unknown.
inline bool MayFit(const walk::Layout& layout, uint32_t oat_version) {
  return oat_version == 0 ||
         (oat_version >= layout.oat_version_first && oat_version <= layout.oat_version_last);
}

}  // namespace stillframe::art
