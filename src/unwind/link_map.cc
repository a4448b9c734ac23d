// SPDX-License-Identifier: Apache-2.0
// The fields that <link.h> promises to debuggers.
#include "src/unwind/link_map.h"

#include <link.h>

#include <cstddef>

#include "arch/arch.h"

namespace stillframe::unwind {

using arch::GuardedLoadWord;

bool LoadLinkEntry(uintptr_t address, LinkEntry* entry) {
  entry->address = address;
  return address != 0 && address % alignof(link_map) == 0 &&
         GuardedLoadWord(address + offsetof(link_map, l_addr), &entry->bias) &&
         GuardedLoadWord(address + offsetof(link_map, l_ld), &entry->dynamic) &&
         GuardedLoadWord(address + offsetof(link_map, l_next), &entry->next) &&
         GuardedLoadWord(address + offsetof(link_map, l_prev), &entry->previous);
}

uintptr_t FirstLinkEntry(uintptr_t debug) {
  uintptr_t first = 0;
  return debug != 0 && GuardedLoadWord(debug + offsetof(r_debug, r_map), &first) ? first : 0;
}

// An entry that was freed may read as before: then the one before it leads elsewhere.
bool IsLastLinkEntry(const LinkEntry& last) {
  LinkEntry now;
  LinkEntry before;
  return LoadLinkEntry(last.address, &now) && now.next == 0 && now.bias == last.bias &&
         now.dynamic == last.dynamic && now.previous == last.previous &&
         LoadLinkEntry(now.previous, &before) && before.next == last.address;
}

}  // namespace stillframe::unwind
