// SPDX-License-Identifier: Apache-2.0
// Searches Thread's instrumentation_stack. In ART 11 it is a std::map of return addresses, keyed by
// their stack slots. In ART 10 it is a std::deque of {this, method, return pc}, innermost first
// (runtime/instrumentation.h, InstrumentationStackFrame). Only the thread itself changes it. If a
// signal interrupts a change, the search ends at a guarded load or at its limit.
// limit.
#include "src/walk/traced_return.h"

namespace stillframe::walk {
namespace {

// Offsets in words. In both libraries the key follows the node's own four words.
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

bool FindInMap(const MapWords& words, uintptr_t map, uintptr_t key, uintptr_t* return_pc) {
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

// ART 10's element also has a frame number and a flag.
constexpr uint32_t kElementWords = 5;
constexpr uint32_t kElementMethod = 1;
constexpr uint32_t kElementReturnPc = 2;
constexpr uint32_t kElementBytes = kElementWords * sizeof(uintptr_t);

// libstdc++ (Debian): {blocks, number of blocks, {element, block's begin, block's end, place in
// blocks}, ...}. libc++ (Android): {.., first block, .., .., number of the first element}.
bool FindElement(uintptr_t deque, uint32_t index, uintptr_t* element) {
  constexpr uint32_t kPerBlock = 512 / kElementBytes;
  constexpr uint32_t kPerBlockOfLibcxx = 4096 / kElementBytes;
  uintptr_t words[6] = {};
  for (uint32_t i = 0; i < 6; ++i)
    if (!LoadWord(deque, i, &words[i])) return false;
  const auto [blocks, second, first, begin, end, place] = words;
  uint32_t per_block = kPerBlock;
  uintptr_t row = place;
  uintptr_t at = (first - begin) / kElementBytes + index;
  if (end - begin != kPerBlock * kElementBytes) {
    per_block = kPerBlockOfLibcxx;
    row = second;
    at = end + index;
  }
  uintptr_t block = 0;
  if (!LoadPointer(row + at / per_block * sizeof(uintptr_t), &block)) return false;
  *element = block + at % per_block * kElementBytes;
  return true;
}

bool FindInDeque(uintptr_t deque, uint32_t index, uintptr_t callee, uintptr_t* return_pc) {
  uintptr_t element = 0;
  uintptr_t method = 0;
  return FindElement(deque, index, &element) && LoadWord(element, kElementMethod, &method) &&
         (callee == 0 || method == callee) && LoadWord(element, kElementReturnPc, return_pc);
}

}  // namespace

bool IsTracedExit(const RuntimeFacts& facts, uintptr_t pc) {
  return (facts.modules == nullptr || facts.modules->TryCode(pc)) &&
         arch::IsInstrumentationExit(pc);
}

void TracedReturns::Pass(const RuntimeFacts& facts, uintptr_t pc) {
  if (facts.layout->instrumentation_deque_after_env != 0 && IsTracedExit(facts, pc)) ++passed_;
}

uintptr_t TracedReturns::Find(const RuntimeFacts& facts, uintptr_t frame, uintptr_t callee,
                              uintptr_t pc) {
  const Layout& layout = *facts.layout;
  const bool is_map = layout.instrumentation_map_after_env != 0;
  const uint32_t after_env =
      is_map ? layout.instrumentation_map_after_env : layout.instrumentation_deque_after_env;
  const uintptr_t env_at = thread_ + facts.managed_stack + layout.managed_stack_before_env;
  uintptr_t kept = 0;
  if (after_env == 0 || !IsTracedExit(facts, pc) || !LoadPointer(env_at + after_env, &kept))
    return 0;
  uintptr_t found = 0;
  bool is_found = false;
  if (is_map)
    for (const MapWords& words : kMaps)
      is_found = is_found || FindInMap(words, kept, frame - sizeof(uintptr_t), &found);
  else
    is_found = FindInDeque(kept, passed_++, callee, &found);
  return is_found && !IsTracedExit(facts, found) ? arch::CodeAddress(found) : 0;
}

}  // namespace stillframe::walk
