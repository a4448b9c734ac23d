// SPDX-License-Identifier: Apache-2.0
// The version of oat files that this process's runtime works with. A runtime loads no other
// version, so the boot image's file tells which release family it is, whatever the platform's
// level.
// Context: start-up only
#pragma once

#include <cstdint>

#include "src/walk/layout.h"

namespace stillframe::art {

// 0 when it is not known: the runtime runs without a boot image.
uint32_t FindOatVersion();

// An oat file's header is "oat\n" and three digits (ART 8 to 16 runtime/oat.h, OatHeader). 0 when
// there is none at `address`.
uint32_t ReadOatVersion(uintptr_t address);

// Whether a row may be tried: every one when the version is not known.
inline bool MayFit(const walk::Layout& layout, uint32_t oat_version) {
  return oat_version == 0 ||
         (oat_version >= layout.oat_version_first && oat_version <= layout.oat_version_last);
}

}  // namespace stillframe::art
