#include "src/art/walk.h"

namespace stillframe::art {

using arch::GuardedLoad32;

bool WalkIsMethod(const Layout& layout, uintptr_t method) {
  uint32_t declaring_class = 0;
  uint32_t class_of_class = 0;
  uint32_t class_class = 0;
  return method != 0 && method % layout.method_alignment == 0 &&
         GuardedLoad32(method + layout.method_declaring_class, &declaring_class) &&
         declaring_class != 0 && declaring_class % 8 == 0 &&
         GuardedLoad32(declaring_class + layout.object_class, &class_of_class) &&
         class_of_class != 0 && class_of_class % 8 == 0 &&
         GuardedLoad32(class_of_class + layout.object_class, &class_class) &&
         class_class == class_of_class;
}

uint32_t WalkMethodTag(const Layout& layout, uintptr_t method) {
  uint32_t dex_index = 0;
  if (!GuardedLoad32(method + layout.method_dex_index, &dex_index)) return 0;
  return 1U << 16 | (dex_index & 0xffff);
}

}  // namespace stillframe::art
