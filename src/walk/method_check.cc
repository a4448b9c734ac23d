// SPDX-License-Identifier: Apache-2.0
// The test for java.lang.Class.
#include "src/walk/method_check.h"

namespace stillframe::walk {

using arch::GuardedLoad32;

bool WalkIsClass(const Layout& layout, uint32_t address) {
  uint32_t class_of_class = 0;
  uint32_t class_class = 0;
  return address % 8 == 0 && GuardedLoad32(address + layout.object_class, &class_of_class) &&
         class_of_class != 0 && class_of_class % 8 == 0 &&
         GuardedLoad32(class_of_class + layout.object_class, &class_class) &&
         class_class == class_of_class;
}

bool WalkIsMethod(const Layout& layout, uintptr_t method) {
  LastClass last;
  return WalkIsMethod(layout, method, &last);
}

}  // namespace stillframe::walk
