// SPDX-License-Identifier: Apache-2.0
// Precedes the real arch/arch.h on the include path of the fault tests. The walk is compiled with
// guarded loads that fail or return garbage as tests/fault/injection.h says. Not part of the
// product.
// Context: tests only
#pragma once

// The real loads keep their bodies under another name.
#define GuardedLoad64 PlainGuardedLoad64
#define GuardedLoad32 PlainGuardedLoad32
#define GuardedLoad16 PlainGuardedLoad16
#define GuardedLoad8 PlainGuardedLoad8
#define GuardedLoadWord PlainGuardedLoadWord
#include "../../../../arch/arch.h"
#undef GuardedLoad64
#undef GuardedLoad32
#undef GuardedLoad16
#undef GuardedLoad8
#undef GuardedLoadWord

#include "tests/fault/injection.h"

namespace stillframe::arch {

template <typename T>
[[nodiscard]] inline bool InjectedLoad(bool (*load)(uintptr_t, T*), uintptr_t address, T* value) {
  const uintptr_t asked = address;
  const fault::Fault next = fault::NextFault();
  if (!fault::PlaceOfLoad(&address)) return false;
  switch (next) {
    case fault::Fault::kNone: return load(address, value);
    case fault::Fault::kFails: return false;
    case fault::Fault::kGarbage: break;
  }
  if (!load(address, value)) return false;
  fault::TheInjection().lies.push_back(asked);
  *value = static_cast<T>(fault::Garbage(*value));
  return true;
}

[[nodiscard]] inline bool InjectedLoad64(uintptr_t address, uint64_t* value) {
  return InjectedLoad<uint64_t>([](uintptr_t a, uint64_t* v) { return PlainGuardedLoad64(a, v); },
                                address, value);
}
[[nodiscard]] inline bool InjectedLoad32(uintptr_t address, uint32_t* value) {
  return InjectedLoad<uint32_t>([](uintptr_t a, uint32_t* v) { return PlainGuardedLoad32(a, v); },
                                address, value);
}
[[nodiscard]] inline bool InjectedLoad16(uintptr_t address, uint16_t* value) {
  return InjectedLoad<uint16_t>([](uintptr_t a, uint16_t* v) { return PlainGuardedLoad16(a, v); },
                                address, value);
}
[[nodiscard]] inline bool InjectedLoad8(uintptr_t address, uint8_t* value) {
  return InjectedLoad<uint8_t>([](uintptr_t a, uint8_t* v) { return PlainGuardedLoad8(a, v); },
                               address, value);
}
[[nodiscard]] inline bool InjectedLoadWord(uintptr_t address, uintptr_t* value) {
  return InjectedLoad<uintptr_t>(
      [](uintptr_t a, uintptr_t* v) { return PlainGuardedLoadWord(a, v); }, address, value);
}

}  // namespace stillframe::arch

#define GuardedLoad64 InjectedLoad64
#define GuardedLoad32 InjectedLoad32
#define GuardedLoad16 InjectedLoad16
#define GuardedLoad8 InjectedLoad8
#define GuardedLoadWord InjectedLoadWord
