// SPDX-License-Identifier: Apache-2.0
#include "src/walk/compiled_code.h"

#include <initializer_list>

#include "src/walk/bit_cursor.h"
#include "src/walk/code_header.h"

namespace stillframe::walk {
namespace {

// Tables in the order of CodeInfo. The ones after kMethods, which describe dex registers, are not
// read.
enum Table : uint32_t { kStackMaps, kRegisterMasks, kStackMasks, kInlineInfos, kMethods, kTables };
constexpr uint32_t kAllTables = 8;
constexpr uint32_t kMaxColumns = 8;
constexpr uint32_t kMaxRows = 1U << 20;
constexpr uint32_t kMaxRowsVisited = 1U << 14;
constexpr uint32_t kNoValue = UINT32_MAX;

enum StackMapColumn : uint32_t { kKind = 0, kNativePc = 1, kDexPc = 2, kInlineInfo = 5 };
enum InlineColumn : uint32_t {
  kIsLast = 0,
  kInlineDexPc = 1,
  kMethodRow = 2,
  kMethodHigh = 3,
  kMethodLow = 4
};
enum MethodColumn : uint32_t { kMethodIndex = 0, kDexFileKind = 1, kDexFileIndex = 2 };
// Kind of dex file, other than the method's own: in the boot class path (ART 14
// runtime/stack_map.h, MethodInfo).
constexpr uint32_t kBootClassPath = 0;
// Kinds of stack maps that are not at a call: a catch handler, a debugger's position.
constexpr uint32_t kCatchKind = 0;
constexpr uint32_t kDebugKind = 2;

struct Header {
  uint32_t code_bytes;  // from ART 12 on
  uint32_t frame_bytes;
  uint32_t tables;  // tables that follow; the upper half: those that are shared
  uint32_t dex_registers;
};

Header ReadHeader(const Layout& layout, BitCursor* cursor) {
  uint32_t numbers[7] = {};
  switch (layout.code_info) {
    case CodeInfoForm::kNone: cursor->Fail(); return {};
    case CodeInfoForm::k10:
      for (uint32_t i = 0; i < 4; ++i) numbers[i] = cursor->Number();
      return {0, numbers[0] * arch::kStackAlignment, (1U << kAllTables) - 1, numbers[3]};
    case CodeInfoForm::k11:
      cursor->Numbers(numbers, 6);
      return {0, numbers[1] * arch::kStackAlignment, numbers[5], numbers[4]};
    case CodeInfoForm::k12:
    case CodeInfoForm::k14:
      cursor->Numbers(numbers, 7);
      return {numbers[1], numbers[2] * arch::kStackAlignment, numbers[6], numbers[5]};
  }
  return {};
}

struct BitTable {
  uint32_t rows = 0;
  uint32_t bits[kMaxColumns] = {};
  uint32_t row_bits = 0;
  int64_t first = 0;

  uint32_t Value(uintptr_t base, uint32_t row, uint32_t column) const {
    int64_t at = first + int64_t{row} * row_bits;
    for (uint32_t i = 0; i < column; ++i) at += bits[i];
    BitCursor cursor(base, at);
    return cursor.Read(bits[column]) + kNoValue;  // values are stored plus one
  }
};

uint32_t ColumnsOf(const Layout& layout, uint32_t table) {
  switch (table) {
    case kStackMaps: return 8;
    case kRegisterMasks: return 2;
    case kInlineInfos: return 6;
    case kMethods: return layout.code_info == CodeInfoForm::k14 ? 3 : 1;
    default: return 1;
  }
}

void ReadTable(const Layout& layout, uint32_t columns, BitCursor* cursor, BitTable* table) {
  if (layout.code_info == CodeInfoForm::k10) {
    table->rows = cursor->Number();
    for (uint32_t i = 0; table->rows != 0 && i < columns; ++i) table->bits[i] = cursor->Number();
  } else {
    uint32_t numbers[1 + kMaxColumns] = {};
    cursor->Numbers(numbers, 1 + columns);
    table->rows = numbers[0];
    for (uint32_t i = 0; i < columns; ++i) table->bits[i] = numbers[1 + i];
  }
  table->row_bits = 0;
  for (uint32_t i = 0; i < columns; ++i) {
    // A stack mask is one column of any length; the tables read here have no such column.
    if (table->bits[i] > kMaxRows) cursor->Fail();
    table->row_bits += table->bits[i];
  }
  table->first = cursor->bit();
  if (table->rows > kMaxRows) return cursor->Fail();
  cursor->Skip(int64_t{table->rows} * table->row_bits);
}

// Reads the next table, or the earlier method's table that it is shared with.
bool ReadNextTable(const Layout& layout, const Header& header, uint32_t i, BitCursor* cursor,
                   BitTable* table) {
  const bool is_shared = layout.code_info == CodeInfoForm::k10
                             ? cursor->Read(1) != 0
                             : (header.tables >> (kAllTables + i) & 1) != 0;
  if (!is_shared) {
    ReadTable(layout, ColumnsOf(layout, i), cursor, table);
    return cursor->ok();
  }
  // Reuses the cursor: a second one would take more of the handler's stack.
  const int64_t here = cursor->bit();
  const int64_t there = here - cursor->Number();
  const int64_t behind = cursor->bit();
  cursor->Skip(there - behind);
  ReadTable(layout, ColumnsOf(layout, i), cursor, table);
  cursor->Skip(behind - cursor->bit());
  return cursor->ok();
}

bool ReadTables(const Layout& layout, uintptr_t info, BitTable* tables) {
  BitCursor cursor(info, 0);
  const Header header = ReadHeader(layout, &cursor);
  for (uint32_t i = 0; i < kTables && cursor.ok(); ++i)
    if ((header.tables >> i & 1) != 0 && !ReadNextTable(layout, header, i, &cursor, &tables[i]))
      return false;
  for (const uint32_t i : {kStackMaps, kInlineInfos, kMethods}) {
    for (const uint32_t bits : tables[i].bits)
      if (bits > 32) return false;
  }
  return cursor.ok();
}

// Row of the safepoint at `offset`, else of the last one before it, else of the first one after it.
uint32_t FindSafepoint(const BitTable& maps, uintptr_t info, uint32_t offset) {
  uint32_t found = kNoValue;
  for (uint32_t row = 0; row < maps.rows; ++row) {
    if (maps.Value(info, row, kKind) == kCatchKind) continue;
    const uint32_t pc = maps.Value(info, row, kNativePc) * arch::kInstructionAlignment;
    if (pc > offset) return found == kNoValue ? row : found;
    if (pc == offset) return row;
    found = row;
  }
  return found;
}

// Reads index and dex file. Without an index, CodeInfo makes no sense.
void ReadMethodIndex(const Layout& layout, const BitTable& methods, uintptr_t info, uint32_t row,
                     CompiledFrame* frame) {
  if (row >= methods.rows) return;
  frame->method_index = methods.Value(info, row, kMethodIndex);
  if (layout.code_info != CodeInfoForm::k14) return;
  frame->dex_file = methods.Value(info, row, kDexFileIndex);
  if (frame->dex_file != kSameDexFile && methods.Value(info, row, kDexFileKind) != kBootClassPath)
    frame->dex_file |= kOfOatFile;
}

// The frames at a row of the stack maps, innermost first.
uint32_t MethodsAtRow(const Layout& layout, const BitTable* tables, uintptr_t info,
                      uintptr_t method, uint32_t map, CompiledFrame* frames) {
  const BitTable& maps = tables[kStackMaps];
  const uint32_t dex_pc = maps.Value(info, map, kDexPc);
  const BitTable& inlined = tables[kInlineInfos];
  uint32_t count = 0;
  for (uint32_t row = maps.Value(info, map, kInlineInfo); row < inlined.rows && count < kMaxInlined;
       ++row) {
    const uint32_t low = inlined.Value(info, row, kMethodLow);
    const uint32_t high = inlined.Value(info, row, kMethodHigh);
    CompiledFrame& frame = frames[count++];
    frame = {0, kNoMethodIndex, inlined.Value(info, row, kInlineDexPc)};
    if (low != kNoValue)
      frame.method = static_cast<uintptr_t>(uint64_t{high} << 32 | low);
    else
      ReadMethodIndex(layout, tables[kMethods], info, inlined.Value(info, row, kMethodRow), &frame);
    if (inlined.Value(info, row, kIsLast) != 0) break;
  }
  // CodeInfo lists the outermost first.
  for (uint32_t i = 0; i < count / 2; ++i) {
    const CompiledFrame swapped = frames[i];
    frames[i] = frames[count - 1 - i];
    frames[count - 1 - i] = swapped;
  }
  frames[count] = {method, 0, dex_pc};
  return count + 1;
}

}  // namespace

bool ReadSizesInFull(const Layout& layout, uintptr_t info, CodeSizes* sizes) {
  BitCursor cursor(info, 0);
  const Header header = ReadHeader(layout, &cursor);
  *sizes = {header.code_bytes, header.frame_bytes};
  return cursor.ok();
}

bool LoadCompiledCode(const Layout& layout, uintptr_t entry_point, CompiledCode* code) {
  return LoadCodeHeader(layout, entry_point, code);
}

bool FindCodeOfMethod(const Layout& layout, uintptr_t method, uintptr_t pc, CompiledCode* code) {
  uintptr_t entry_point = 0;
  // The cheap tests come first: the entry point alone decides nearly all cases.
  return LoadPointer(method + layout.method_entry_point, &entry_point) && pc >= entry_point &&
         pc - entry_point <= kMaxCodeBytes && LoadCodeHeader(layout, entry_point, code) &&
         code->Holds(pc);
}

bool HasPlausibleCodeInfo(const Layout& layout, const CompiledCode& code, uint32_t dex_registers) {
  constexpr uint32_t kMaxRowsRead = 16;  // more rows add no certainty
  BitTable maps;
  BitCursor cursor(code.info, 0);
  const Header header = ReadHeader(layout, &cursor);
  if (!cursor.ok() || header.dex_registers != dex_registers ||
      header.frame_bytes != code.frame_bytes)
    return false;
  // Baseline code without safepoints still calls, to request recompilation (ART 14
  // compiler/optimizing/code_generator_x86_64.cc, MaybeIncrementHotness).
  if (header.tables == 0) return true;
  if ((header.tables >> kStackMaps & 1) == 0) return false;
  if (!ReadNextTable(layout, header, kStackMaps, &cursor, &maps)) return false;
  for (uint32_t row = 0; row < maps.rows && row < kMaxRowsRead; ++row)
    if (maps.bits[kKind] > 32 || maps.bits[kNativePc] > 32 ||
        maps.Value(code.info, row, kNativePc) > code.bytes / arch::kInstructionAlignment)
      return false;
  return maps.rows != 0;
}

bool HasStubCodeInfo(const Layout& layout, const CompiledCode& code) {
  BitCursor cursor(code.info, 0);
  const Header header = ReadHeader(layout, &cursor);
  uint32_t tables = header.tables;
  if (layout.code_info == CodeInfoForm::k10) {
    tables = 0;  // all are present and not shared; they may be empty
    for (uint32_t i = 0; i < kAllTables; ++i) tables |= cursor.Read(1) | cursor.Number();
  }
  return cursor.ok() && header.dex_registers == 0 && tables == 0 &&
         header.frame_bytes == code.frame_bytes;
}

uint32_t MethodsAt(const Layout& layout, const CompiledCode& code, uintptr_t method,
                   uint32_t offset, CompiledFrame* frames) {
  frames[0] = {method, 0, core::kNoDexPc};
  BitTable tables[kTables];
  if (code.info == 0 || !ReadTables(layout, code.info, tables)) return 1;
  const uint32_t map = FindSafepoint(tables[kStackMaps], code.info, offset);
  if (map == kNoValue) return 1;
  const uint32_t count = MethodsAtRow(layout, tables, code.info, method, map, frames);
  frames[0].is_exact =
      tables[kStackMaps].Value(code.info, map, kNativePc) * arch::kInstructionAlignment == offset;
  return count;
}

bool VisitSafepoints(const Layout& layout, const CompiledCode& code, uintptr_t method,
                     void (*visit)(void*, const Safepoint&), void* context) {
  BitTable tables[kTables];
  if (code.info == 0 || !ReadTables(layout, code.info, tables)) return false;
  const BitTable& maps = tables[kStackMaps];
  if (maps.rows > kMaxRowsVisited) return false;
  CompiledFrame frames[kMaxInlined + 1];
  for (uint32_t row = 0; row < maps.rows; ++row) {
    const uint32_t offset = maps.Value(code.info, row, kNativePc) * arch::kInstructionAlignment;
    if (offset > code.bytes) return false;
    const uint32_t count = MethodsAtRow(layout, tables, code.info, method, row, frames);
    const uint32_t kind = maps.Value(code.info, row, kKind);
    visit(context, {offset, kind == kCatchKind || kind == kDebugKind, count, frames});
  }
  return true;
}

}  // namespace stillframe::walk
