// SPDX-License-Identifier: Apache-2.0
// Where a field lies in its objects. art::ArtField is the same in ART 8.0 to 16
// (runtime/art_field.h): the class, flags, index and offset, of 32 bits each.
#pragma once

#include <jni.h>

#include <cstdint>

#include "arch/arch.h"

namespace stillframe::art {

// A jmethodID or jfieldID is the pointer to the runtime's own object. In a debuggable process from
// ART 11 on it may be an odd index (ART 11 and 14 runtime/jni/jni_id_manager.h). Returns the
// ArtMethod* or ArtField*; 0 for an index.
inline uintptr_t PointerOfId(const void* id) {
  const auto word = reinterpret_cast<uintptr_t>(id);
  return word % 2 == 0 ? word : 0;
}

constexpr uint32_t kFieldClass = 0;    // art::ArtField::declaring_class_
constexpr uint32_t kFieldOffset = 12;  // art::ArtField::offset_

// False for an id that is no pointer.
inline bool LoadFieldOffset(jfieldID field, uint32_t* offset) {
  // No object of the classes that are asked for is as large, not even a class.
  constexpr uint32_t kMaxOffset = 4096;
  const uintptr_t pointer = PointerOfId(field);
  return pointer != 0 && arch::GuardedLoad32(pointer + kFieldOffset, offset) && *offset != 0 &&
         *offset < kMaxOffset;
}

// The reference in the object's field, which has 32 bits; 0 when it is null or cannot be read.
inline uint32_t LoadReference(uintptr_t object, uint32_t offset) {
  uint32_t reference = 0;
  return object != 0 && arch::GuardedLoad32(object + offset, &reference) ? reference : 0;
}

}  // namespace stillframe::art
