// SPDX-License-Identifier: Apache-2.0
// Searches Thread's instrumentation_stack, a std::map of return addresses by the place they were
// taken from (ART 11 runtime/instrumentation.h, InstrumentationStackFrame {this, method, return
// pc}). The thread changes its own map only: a search that a signal began in the middle of a change
// ends at a guarded load or at its limit.
#include "src/walk/traced_return.h"

namespace stillframe::walk {
namespace {

// Offsets in words. The key lies behind the node's own four words in both libraries.
struct MapWords {
  uint32_t root;  // in the map
  uint32_t left;  // in a node
  uint32_t right;
};
constexpr MapWords kMaps[] = {
    {1, 0, 1},  // libc++, Android's: {first node, root, size}, nodes {left, right, parent, color}
    {2, 2, 3},  // libstdc++, Debian's: {less, {color, root, ...}}, {color, parent, left, right}
};
constexpr uint32_t kKey = 4;
constexpr uint32_t kReturnPc = kKey + 3;
constexpr uint32_t kMaxSteps = 64;

bool LoadWord(uintptr_t address, uint32_t words, uintptr_t* value) {
  return LoadPointer(address + words * sizeof(uintptr_t), value);
}

bool Search(const MapWords& words, uintptr_t map, uintptr_t key, uintptr_t* return_pc) {
  uintptr_t node = 0;
  if (!LoadWord(map, words.root, &node)) return false;
  for (uint32_t steps = 0; steps < kMaxSteps && node != 0; ++steps) {
    uintptr_t here = 0;
    if (!LoadWord(node, kKey, &here)) return false;
    if (here == key) return LoadWord(node, kReturnPc, return_pc);
    if (!LoadWord(node, key < here ? words.left : words.right, &node)) return false;
  }
  return false;
}

}  // namespace

uintptr_t FindTracedReturn(const RuntimeFacts& facts, uintptr_t thread, uintptr_t frame,
                           uintptr_t pc) {
  const Layout& layout = *facts.layout;
  const uintptr_t env_at = thread + facts.managed_stack + layout.managed_stack_before_env;
  uintptr_t map = 0;
  if (layout.instrumentation_map_after_env == 0 || !arch::IsInstrumentationExit(pc) ||
      !LoadPointer(env_at + layout.instrumentation_map_after_env, &map))
    return 0;
  for (const MapWords& words : kMaps) {
    uintptr_t found = 0;
    if (Search(words, map, frame - sizeof(uintptr_t), &found))
      return arch::IsInstrumentationExit(found) ? 0 : arch::CodeAddress(found);
  }
  return 0;
}

}  // namespace stillframe::walk
