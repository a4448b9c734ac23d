// SPDX-License-Identifier: Apache-2.0
// What a jmethodID or jfieldID is: the runtime's own object, or in a debuggable process from ART 11
// on an odd index (ART 11 and 14 runtime/jni/jni_id_manager.h).
#pragma once

#include <cstdint>

namespace stillframe::art {

// The ArtMethod* or ArtField*; 0 for an index.
inline uintptr_t PointerOfId(const void* id) {
  const auto word = reinterpret_cast<uintptr_t>(id);
  return word % 2 == 0 ? word : 0;
}

}  // namespace stillframe::art
