// SPDX-License-Identifier: Apache-2.0
#include "src/walk/method_check.h"

namespace stillframe::walk {

using arch::GuardedLoad32;

bool WalkIsClassOfClasses(const Layout& layout, uint32_t address) {
  uint32_t type = 0;
  return address != 0 && address % 8 == 0 && GuardedLoad32(address + layout.object_class, &type) &&
         type == address;
}

bool WalkIsClass(const Layout& layout, uint32_t address) {
  uint32_t type = 0;
  return address % 8 == 0 && GuardedLoad32(address + layout.object_class, &type) &&
         WalkIsClassOfClasses(layout, type);
}

bool WalkIsMethod(const Layout& layout, uintptr_t method) {
  LastClass last;
  return WalkIsMethod(layout, method, &last);
}

}  // namespace stillframe::walk
