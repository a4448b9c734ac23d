// SPDX-License-Identifier: Apache-2.0
// Offsets of fields in their objects. art::ArtField is the same in ART 8.0 to 16
// (runtime/art_field.h): class, flags, index and offset, of 32 bits each.
#pragma once

#include <jni.h>

#include <cstdint>

#include "arch/arch.h"

namespace stillframe::art {

// A jmethodID or jfieldID is a pointer to the runtime's own object. In debuggable processes from
// ART 11 on it may be an odd index (ART 11 and 14 runtime/jni/jni_id_manager.h). Returns the
// ArtMethod* or ArtField*; 0 for an index.
inline uintptr_t PointerOfId(const void* id) {
  const auto word = reinterpret_cast<uintptr_t>(id);
  return word % 2 == 0 ? word : 0;
}

constexpr uint32_t kFieldClass = 0;    // art::ArtField::declaring_class_
constexpr uint32_t kFieldOffset = 12;  // art::ArtField::offset_

// False for an id that is an index.
inline bool LoadFieldOffset(jfieldID field, uint32_t* offset) {
  // Objects of the classes used here are smaller, including classes themselves.
  constexpr uint32_t kMaxOffset = 4096;
  const uintptr_t pointer = PointerOfId(field);
  return pointer != 0 && arch::GuardedLoad32(pointer + kFieldOffset, offset) && *offset != 0 &&
         *offset < kMaxOffset;
}

// The 32-bit reference in an object's field; 0: null or unreadable.
inline uint32_t LoadReference(uintptr_t object, uint32_t offset) {
  uint32_t reference = 0;
  return object != 0 && arch::GuardedLoad32(object + offset, &reference) ? reference : 0;
}

}  // namespace stillframe::art
