// SPDX-License-Identifier: Apache-2.0
#include "src/unwind/code_modules.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "arch/arch.h"

namespace stillframe::unwind {
namespace {

using arch::GuardedLoad16;
using arch::GuardedLoad32;
using arch::GuardedLoadWord;

// Encodings of pointers in .eh_frame_hdr (Linux Standard Base Core, "DWARF Extensions").
constexpr uint8_t kU32 = 0x03;
constexpr uint8_t kS32RelativeToHere = 0x1b;
constexpr uint8_t kS32RelativeToHeader = 0x3b;
constexpr uint32_t kFramesOffset = 4;  // after version and encodings
constexpr uint32_t kCountOffset = 8;

constexpr uint32_t kMaxSegments = 64;

// Possible offsets of oatdata in an oat file, for pages of 4 and 16 KiB, and its first word (ART
// 8.0 to 16 libelffile/elf/elf_builder.h, runtime/oat.h, kOatMagic).
constexpr uintptr_t kOatDataOffsets[] = {4 << 10, 16 << 10};
constexpr uint32_t kOatMagic = 0x0a74616f;  // "oat\n"

// Whether this is an oat file, which holds code of methods. The linker may have loaded it.
bool IsOatFile(uintptr_t address, uintptr_t bytes) {
  uint32_t word = 0;
  for (const uintptr_t offset : kOatDataOffsets)
    if (offset < bytes && GuardedLoad32(address + offset, &word) && word == kOatMagic) return true;
  return false;
}

// Reads the library whose ELF header is at `address`. `header` is 0 without call frame information,
// as in some 32-bit ARM libraries (.ARM.exidx).
bool ReadLibrary(uintptr_t address, CodeModule* module) {
  uint32_t magic = 0;
  uint32_t expected_magic = 0;
  memcpy(&expected_magic, ELFMAG, SELFMAG);
  uintptr_t segments = 0;
  uint16_t count = 0;
  if (!GuardedLoad32(address, &magic) || magic != expected_magic ||
      !GuardedLoadWord(address + offsetof(ElfW(Ehdr), e_phoff), &segments) ||
      !GuardedLoad16(address + offsetof(ElfW(Ehdr), e_phnum), &count) || count > kMaxSegments)
    return false;
  *module = {UINTPTR_MAX, 0, 0, 0, 0, 0, 0, 0, 0};
  uintptr_t code_begin = UINTPTR_MAX;
  uintptr_t code_end = 0;
  uintptr_t header = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uintptr_t segment = address + segments + i * sizeof(ElfW(Phdr));
    uint32_t type = 0;
    uint32_t flags = 0;
    uintptr_t begin = 0;
    uintptr_t bytes = 0;
    if (!GuardedLoad32(segment + offsetof(ElfW(Phdr), p_type), &type) ||
        !GuardedLoad32(segment + offsetof(ElfW(Phdr), p_flags), &flags) ||
        !GuardedLoadWord(segment + offsetof(ElfW(Phdr), p_vaddr), &begin) ||
        !GuardedLoadWord(segment + offsetof(ElfW(Phdr), p_memsz), &bytes))
      return false;
    begin += address;
    if (type == PT_LOAD) {
      module->begin = std::min(module->begin, begin);
      module->end = std::max(module->end, begin + bytes);
      if ((flags & PF_X) != 0) {
        code_begin = std::min(code_begin, begin);
        code_end = std::max(code_end, begin + bytes);
        module->is_execute_only |= (flags & PF_R) == 0 ? 1 : 0;
      }
    } else if (type == PT_GNU_EH_FRAME) {
      header = begin;
    }
  }
  if (code_begin < code_end) {
    module->code_begin = static_cast<uint32_t>(code_begin - address);
    module->code_end = static_cast<uint32_t>(code_end - address);
  }
  if (header == 0 || !ReadFrameIndex(header, module)) module->header = module->index_count = 0;
  return module->begin == address && !IsOatFile(address, module->end - module->begin);
}

// Whether the library is still there; another one may have replaced it.
bool IsThere(const CodeModule& module) {
  uint32_t frames = 0;
  uint32_t count = 0;
  return module.header == 0 ||
         (GuardedLoad32(module.header + kFramesOffset, &frames) && frames == module.frames &&
          GuardedLoad32(module.header + kCountOffset, &count) && count == module.index_count);
}

}  // namespace

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

// A freed entry may keep its contents, but then the entry before it links elsewhere.
bool IsLastLinkEntry(const LinkEntry& last) {
  LinkEntry now;
  LinkEntry before;
  return LoadLinkEntry(last.address, &now) && now.next == 0 && now.bias == last.bias &&
         now.dynamic == last.dynamic && now.previous == last.previous &&
         LoadLinkEntry(now.previous, &before) && before.next == last.address;
}

bool ReadFrameIndex(uintptr_t header, CodeModule* module) {
  uint8_t bytes[4];
  for (uint32_t i = 0; i < 4; ++i)
    if (!arch::GuardedLoad8(header + i, &bytes[i])) return false;
  module->header = header;
  return bytes[0] == 1 && bytes[1] == kS32RelativeToHere && bytes[2] == kU32 &&
         bytes[3] == kS32RelativeToHeader &&
         GuardedLoad32(header + kFramesOffset, &module->frames) &&
         GuardedLoad32(header + kCountOffset, &module->index_count) && module->index_count != 0;
}

void CodeModules::Open(uintptr_t debug, uintptr_t vdso) {
  debug_ = debug;
  vdso_ = vdso;
}

bool CodeModules::Find(uintptr_t pc, CodeModule* module) const {
  const bool has_row = rows_.Find(pc, module);
  if (has_row && IsThere(*module)) return true;
  const LinkEntry last = Last();
  // Nothing was loaded since the rows were made, so an address without a row is outside all
  // libraries.
  if (!has_row && (last.address == 0 || IsLastLinkEntry(last))) return false;
  return FindInList(pc, module);
}

bool CodeModules::Holds(uintptr_t pc) const {
  CodeModule module;
  return Find(pc, &module);
}

bool CodeModules::IsInRow(uintptr_t pc) const {
  CodeModule module;
  return rows_.Find(pc, &module);
}

// Hashed by page, because libraries begin at pages. A product spreads them whatever the pages' size
// (Knuth, The Art of Computer Programming 3, 6.4, multiplicative hashing).
std::atomic<uintptr_t>& CodeModules::UnreadableAt(uintptr_t begin) const {
  constexpr uint32_t kGoldenRatio = 0x9e3779b1;
  constexpr uint32_t kShift = 32 - 8;
  static_assert(kUnreadable == 1U << (32 - kShift));
  return unreadable_[static_cast<uint32_t>(begin >> 12U) * kGoldenRatio >> kShift];
}

bool CodeModules::CanReadCode(const CodeModule& module) const {
  return module.is_execute_only == 0 &&
         UnreadableAt(module.begin).load(std::memory_order_relaxed) != module.begin;
}

void CodeModules::NoteUnreadable(const CodeModule& module) const {
  UnreadableAt(module.begin).store(module.begin, std::memory_order_relaxed);
}

bool CodeModules::TryCode(uintptr_t pc) const {
  CodeModule module;
  return !Find(pc, &module) || TryCode(module, pc);
}

bool CodeModules::TryCode(const CodeModule& module, uintptr_t pc) const {
  uint8_t byte = 0;
  if (!module.HoldsCode(pc) || !CanReadCode(module)) return false;
  const bool is_read = arch::GuardedLoad8(pc, &byte);
  if (!is_read) NoteUnreadable(module);
  return is_read;
}

bool CodeModules::IsUnreadableCode(uintptr_t pc) const {
  CodeModule module;
  return Find(pc, &module) && module.HoldsCode(pc) && !CanReadCode(module);
}

// Libraries do not overlap: the right one begins last before pc.
bool CodeModules::FindInList(uintptr_t pc, CodeModule* module) const {
  uintptr_t nearest = 0;
  LinkEntry entry;
  uintptr_t next = FirstLinkEntry(debug_);
  for (uint32_t i = 0; i < kMaxModules && LoadLinkEntry(next, &entry); ++i) {
    if (entry.bias <= pc) nearest = std::max(nearest, entry.bias);
    next = entry.next;
  }
  return nearest != 0 && ReadLibrary(nearest, module) &&
         pc - module->begin < module->end - module->begin;
}

LinkEntry CodeModules::Last() const {
  return {last_address_.load(std::memory_order_relaxed), last_bias_.load(std::memory_order_relaxed),
          last_dynamic_.load(std::memory_order_relaxed), 0,
          last_previous_.load(std::memory_order_relaxed)};
}

void CodeModules::AddLibrary(uintptr_t address) {
  CodeModule module;
  if (address == 0 || !ReadLibrary(address, &module)) return;
  module.is_vdso = address == vdso_ ? 1 : 0;
  rows_.Add(module);
}

void CodeModules::Refresh() {
  const LinkEntry before = Last();
  if (debug_ == 0 || (before.address != 0 && IsLastLinkEntry(before))) return;
  // Make the handler search the list while the rows change, even if the list looks as before.
  last_dynamic_.store(0, std::memory_order_relaxed);
  for (std::atomic<uintptr_t>& begin : unreadable_) begin.store(0, std::memory_order_relaxed);
  rows_.RemoveIf([](const CodeModule& module) { return !IsThere(module); });
  AddLibrary(vdso_);
  LinkEntry last = {};
  LinkEntry entry;
  uintptr_t next = FirstLinkEntry(debug_);
  for (uint32_t i = 0; i < kMaxModules && LoadLinkEntry(next, &entry); ++i) {
    AddLibrary(entry.bias);
    last = entry;
    next = entry.next;
  }
  last_address_.store(last.address, std::memory_order_relaxed);
  last_bias_.store(last.bias, std::memory_order_relaxed);
  last_dynamic_.store(last.dynamic, std::memory_order_relaxed);
  last_previous_.store(last.previous, std::memory_order_relaxed);
}

}  // namespace stillframe::unwind
