// SPDX-License-Identifier: Apache-2.0
// Adds a module and finds the one that holds a pc.
#include "src/unwind/code_modules.h"

#include <algorithm>

#include "arch/arch.h"

namespace stillframe::unwind {
namespace {

// Encodings of pointers in .eh_frame_hdr (Linux Standard Base Core, "DWARF Extensions").
constexpr uint8_t kU32 = 0x03;
constexpr uint8_t kS32RelativeToHere = 0x1b;
constexpr uint8_t kS32RelativeToHeader = 0x3b;
constexpr uint32_t kIndexOffset = 12;  // version, three encodings, .eh_frame pointer, count

}  // namespace

bool ReadFrameIndex(uintptr_t header, CodeModule* module) {
  uint8_t bytes[4];
  uint32_t count = 0;
  for (uint32_t i = 0; i < 4; ++i)
    if (!arch::GuardedLoad8(header + i, &bytes[i])) return false;
  if (bytes[0] != 1 || bytes[1] != kS32RelativeToHere || bytes[2] != kU32 ||
      bytes[3] != kS32RelativeToHeader || !arch::GuardedLoad32(header + 8, &count) || count == 0)
    return false;
  module->index = header + kIndexOffset;
  module->index_base = header;
  module->index_count = count;
  return true;
}

const CodeModule* CodeModules::Find(uintptr_t pc) const {
  for (uint32_t i = count_.load(std::memory_order_acquire); i-- > 0;)
    if (pc >= modules_[i].begin && pc < modules_[i].end) return &modules_[i];
  return nullptr;
}

bool CodeModules::Add(const CodeModule& module) {
  const uint32_t count = count_.load(std::memory_order_relaxed);
  const bool is_known = std::any_of(modules_, modules_ + count, [&module](const CodeModule& known) {
    return known.begin == module.begin && known.end == module.end && known.index == module.index &&
           known.index_count == module.index_count;
  });
  if (is_known) return true;
  if (count == kMaxModules) return false;
  modules_[count] = module;
  count_.store(count + 1, std::memory_order_release);
  return true;
}

}  // namespace stillframe::unwind
