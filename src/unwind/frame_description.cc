// SPDX-License-Identifier: Apache-2.0
#include "src/unwind/frame_description.h"

#include "src/unwind/byte_cursor.h"

namespace stillframe::unwind {
namespace {

constexpr uint8_t kS32RelativeToHere = 0x1b;
constexpr uint32_t kMaxEntryBytes = 1U << 16;

bool RowOf(const CodeModule& module, uint32_t row, uintptr_t* code) {
  uint32_t relative = 0;
  if (!arch::GuardedLoad32(module.index() + row * uintptr_t{8}, &relative)) return false;
  *code = module.header + static_cast<uintptr_t>(static_cast<int32_t>(relative));
  return true;
}

// Address of the entry whose code begins last at or before pc.
bool FindEntry(const CodeModule& module, uintptr_t pc, uintptr_t* entry) {
  uint32_t low = 0;
  uint32_t high = module.index_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    uintptr_t code = 0;
    if (!RowOf(module, middle, &code)) return false;
    if (code <= pc)
      low = middle + 1;
    else
      high = middle;
  }
  uint32_t relative = 0;
  if (low == 0 || !arch::GuardedLoad32(module.index() + (low - 1) * uintptr_t{8} + 4, &relative))
    return false;
  *entry = module.header + static_cast<uintptr_t>(static_cast<int32_t>(relative));
  return true;
}

// The body of a CIE or FDE, after its length field.
bool OpenEntry(uintptr_t entry, uintptr_t* begin, uintptr_t* end) {
  uint32_t length = 0;
  if (!arch::GuardedLoad32(entry, &length) || length < 4 || length > kMaxEntryBytes) return false;
  *begin = entry + 4;
  *end = *begin + length;
  return true;
}

// Size of a pointer in this encoding; 0: variable size (Linux Standard Base, DWARF extensions,
// "DW_EH_PE"). The upper bits, what it is relative to, are ignored.
uint64_t PointerBytes(uint8_t encoding) {
  switch (encoding & 0x07) {
    case 0x00: return sizeof(uintptr_t);
    case 0x02: return 2;
    case 0x03: return 4;
    case 0x04: return 8;
    default: return 0;
  }
}

// Accepts only augmentations that leave the program readable, with pc-relative pointers. The
// personality routine is skipped by its size, since R may follow it. B: return addresses are
// signed; G: frames on tagged stacks (LLVM, AArch64).
bool ReadAugmentation(ByteCursor* cursor, const char* letters) {
  const uint64_t bytes = cursor->Uleb();
  const uintptr_t begin = cursor->at();
  bool ok = true;
  for (; *letters != 0 && ok; ++letters) {
    if (*letters == 'R') {
      ok = cursor->U8() == kS32RelativeToHere;
    } else if (*letters == 'L') {
      cursor->U8();
    } else if (*letters == 'P') {
      const uint64_t pointer_bytes = PointerBytes(cursor->U8());
      ok = pointer_bytes != 0;
      cursor->Skip(pointer_bytes);
    } else {
      ok = *letters == 'S' || *letters == 'B' || *letters == 'G';
    }
  }
  if (cursor->at() - begin > bytes) return false;
  cursor->Skip(bytes - (cursor->at() - begin));
  return ok && cursor->ok();
}

bool ReadCommon(uintptr_t entry, FrameDescription* description) {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  if (!OpenEntry(entry, &begin, &end)) return false;
  ByteCursor cursor(begin, end);
  if (cursor.U32() != 0) return false;  // an FDE
  const uint8_t version = cursor.U8();
  char letters[8] = {};
  for (uint32_t i = 0; i < sizeof letters; ++i) {
    letters[i] = static_cast<char>(cursor.U8());
    if (letters[i] == 0) break;
  }
  if ((version != 1 && version != 3) || letters[0] != 'z' || letters[sizeof letters - 1] != 0)
    return false;
  description->code_align = static_cast<uint32_t>(cursor.Uleb());
  description->data_align = static_cast<int32_t>(cursor.Sleb());
  description->return_register = version == 1 ? cursor.U8() : static_cast<uint32_t>(cursor.Uleb());
  if (!ReadAugmentation(&cursor, letters + 1)) return false;
  description->common_program = cursor.at();
  description->common_program_end = end;
  return true;
}

}  // namespace

bool FindFrameDescription(const CodeModule& module, uintptr_t pc, FrameDescription* description) {
  uintptr_t entry = 0;
  uintptr_t begin = 0;
  uintptr_t end = 0;
  if (!FindEntry(module, pc, &entry) || !OpenEntry(entry, &begin, &end)) return false;
  ByteCursor cursor(begin, end);
  const uint32_t back = cursor.U32();
  if (back == 0 || !ReadCommon(begin - back, description)) return false;
  const uintptr_t at = cursor.at();
  description->code_begin = at + static_cast<uintptr_t>(static_cast<int32_t>(cursor.U32()));
  description->code_end = description->code_begin + cursor.U32();
  cursor.Skip(cursor.Uleb());
  description->program = cursor.at();
  description->program_end = end;
  return cursor.ok() && pc >= description->code_begin && pc < description->code_end;
}

}  // namespace stillframe::unwind
