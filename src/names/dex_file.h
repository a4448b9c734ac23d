// SPDX-License-Identifier: Apache-2.0
// Reads names and lines from a dex file in memory, off the signal. Loads are guarded and bounds
// checked: the file may be unmapped or not a dex file.
// Source: the dex format (source.android.com, "Dalvik executable format").
#pragma once

#include <cstdint>
#include <string>

#include "src/walk/layout.h"

namespace stillframe::names {

// Line of the last position entry at or before dex_pc, by the line program of a debug_info_item;
// -1: none, or the program is unreadable. Runs at most 1 MiB of program.
int32_t LineFromProgram(uintptr_t debug_info, uint32_t dex_pc);

// Location of a dex file, as in art::DexFile.
struct DexPlace {
  uintptr_t begin = 0;
  uint64_t size = 0;
  uintptr_t data = 0;
  uint64_t id = 0;  // checksum and first bytes of the signature, from the header
};

// Id of a file's content, from the header at `begin`; 0: unreadable.
uint64_t DexId(uintptr_t begin);

// False if the file was unmapped or replaced, as when its class loader is freed. Data read before a
// true answer came from this file; data read afterwards may not.
bool IsStillThere(const DexPlace& place);

// False if `dex_file` (art::DexFile*) is unreadable or implausible.
bool LoadDexPlace(const walk::Layout& layout, uintptr_t dex_file, DexPlace* place);

struct DexMethodNames {
  std::string class_descriptor;  // "Lcom/example/Row;"
  std::string method_name;
  std::string signature;    // "(ILjava/lang/String;)V"
  std::string source_file;  // "": the class has none
};

class DexFileReader {
 public:
  // begin, size and data_begin: as in DexPlace. In a container (dex format 41) data_begin is the
  // container's begin, at or before the file's, and all offsets are relative to it.
  DexFileReader(uintptr_t begin, uint64_t size, uintptr_t data_begin)
      : begin_(data_begin < begin ? data_begin : begin),
        header_(data_begin < begin ? begin - data_begin : 0),
        size_(size),
        data_begin_(data_begin) {}

  // Whether there is a standard or compact dex header whose tables are inside the file. A compact
  // file (ART 9 to 15) has the same tables, but a different form of code items and line program
  // offsets.
  bool IsDex() const;

  // Whether the header is standard: code items then have the standard form.
  bool IsStandard() const;

  // False if the index or its data is out of bounds or unreadable.
  bool MethodNames(uint32_t method_index, DexMethodNames* names) const;

  // "Lcom/example/Row;" for one of the file's types; false as above.
  bool TypeDescriptor(uint32_t type_index, std::string* text) const;

  // Offset of a method's code item, by its class definition; 0: none.
  uint32_t CodeItemOf(uint32_t method_index) const;

  // Line of dex_pc (in 16-bit units) by the method's debug info; -1: none. A standard file uses the
  // code item's offset, a compact one the method's index.
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

// "Lcom/example/Row$Cell;" -> "com.example.Row$Cell"; arrays and primitives are unchanged.
std::string ClassNameOf(const std::string& descriptor);

}  // namespace stillframe::names
