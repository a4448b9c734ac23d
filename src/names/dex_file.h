// SPDX-License-Identifier: Apache-2.0
// Reads names and lines out of a dex file in memory, off the signal, with guarded loads and bounds
// checks throughout: the file may be unmapped or be none at all.
// Source: the dex format (source.android.com, "Dalvik executable format").
#pragma once

#include <cstdint>
#include <string>

#include "src/walk/layout.h"

namespace stillframe::names {

// The line number program of a dex debug_info_item.
// Line of the last position entry at or before dex_pc; -1 when there is none or the program cannot
// be read. Bounded: at most 1 MiB of program is run.
int32_t LineFromProgram(uintptr_t debug_info, uint32_t dex_pc);

// Where a dex file is, as art::DexFile holds it.
struct DexPlace {
  uintptr_t begin = 0;
  uint64_t size = 0;
  uintptr_t data = 0;
  uint64_t id = 0;  // checksum and the first bytes of the signature, in the header
};

// What the header at `begin` says of its file's content; 0: it cannot be read.
uint64_t DexId(uintptr_t begin);

// False once the file was unmapped or another one took its place, as happens when a class loader
// goes: what was read before a true answer was of this file, what is read after it need not be.
bool IsStillThere(const DexPlace& place);

// False when `dex_file` (art::DexFile*) cannot be read, or is none as far as that shows.
bool LoadDexPlace(const walk::Layout& layout, uintptr_t dex_file, DexPlace* place);

struct DexMethodNames {
  std::string class_descriptor;  // "Lcom/example/Row;"
  std::string method_name;
  std::string signature;    // "(ILjava/lang/String;)V"
  std::string source_file;  // "" when the class does not say
};

class DexFileReader {
 public:
  // begin, size and data_begin as in DexPlace. In a container (dex format 41)
  // data_begin is the container's begin, before or at the file's, and everything counts from there.
  DexFileReader(uintptr_t begin, uint64_t size, uintptr_t data_begin)
      : begin_(data_begin < begin ? data_begin : begin),
        header_(data_begin < begin ? begin - data_begin : 0),
        size_(size),
        data_begin_(data_begin) {}

  // True for a standard or a compact dex header whose tables lie inside the file. A compact one
  // (ART 9 to 15) has the same tables, but code items and places of line programs of its own.
  bool IsDex() const;

  // True for a standard header: code items are as the format has them.
  bool IsStandard() const;

  // False when the index or anything it leads to is out of bounds or unreadable.
  bool MethodNames(uint32_t method_index, DexMethodNames* names) const;

  // "Lcom/example/Row;" of one of the file's types; false as above.
  bool TypeDescriptor(uint32_t type_index, std::string* text) const;

  // Offset of a method's code item by the definition of its class; 0 when it has none.
  uint32_t CodeItemOf(uint32_t method_index) const;

  // Line of dex_pc (in 16-bit units) in the method by its debug info; -1 when there is none. A
  // standard file needs the offset of the method's code item, a compact one the method's index.
  int32_t Line(uint32_t method_index, uint32_t code_item_offset, uint32_t dex_pc) const;

 private:
  uint32_t DebugInfo(uint32_t method_index, uint32_t code_item_offset) const;
  uint32_t CompactDebugInfo(uint32_t method_index) const;
  bool Header(uint32_t offset, uint32_t* value) const;
  bool U32(uint64_t offset, uint32_t* value) const;
  bool U16(uint64_t offset, uint16_t* value) const;
  bool Text(uint32_t string_index, std::string* text) const;
  bool Signature(uint32_t proto_index, std::string* text) const;
  bool ClassDef(uint32_t type_index, uint64_t* offset) const;
  bool SourceFile(uint32_t type_index, std::string* text) const;

  uintptr_t begin_;
  uint64_t header_;  // offset of the header
  uint64_t size_;
  uintptr_t data_begin_;
};

// "Lcom/example/Row$Cell;" -> "com.example.Row$Cell"; arrays and primitives stay as they are.
std::string ClassNameOf(const std::string& descriptor);

}  // namespace stillframe::names
