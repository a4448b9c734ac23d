// SPDX-License-Identifier: Apache-2.0
// The libraries of this process with their call frame information (.eh_frame_hdr).
//
// A snapshot of the dynamic linker's list, renewed by the collector when the list has grown.
// Libraries loaded later are looked up in the list itself. If another library has replaced one, the
// row's header shows it. Oat files, which the linker may load too, are excluded.
// Context: signal (Find, IsInRow), collector (all else, the only writer)
#pragma once

#include <atomic>
#include <cstdint>

#include "src/core/range_table.h"

namespace stillframe::unwind {

// The dynamic linker's list of libraries, read as a debugger reads it.
// Problem: the interrupted thread, or one that hangs, may hold the linker's lock.
// Rule: no lock. Loads are guarded, and the walk is bounded because the list may change. An entry
// counts only if an ELF header is at its address.
// Surviving risk: a library loaded or unloaded during a walk may be missed.
// LinkEntry is an entry of the list: struct link_map of <link.h>.
struct LinkEntry {
  uintptr_t address;
  uintptr_t
      bias;  // where the library's first segment is, unless it is a program of fixed addresses
  uintptr_t dynamic;
  uintptr_t next;
  uintptr_t previous;
};

// False if `address` holds no entry, or not any more.
bool LoadLinkEntry(uintptr_t address, LinkEntry* entry);

// Address of the first entry; 0: none. `debug`: the linker's struct r_debug.
uintptr_t FirstLinkEntry(uintptr_t debug);

// Whether `last`, from an earlier walk, is still the last entry. Libraries loaded later are
// appended after it.
bool IsLastLinkEntry(const LinkEntry& last);

// Words only, so that a row has no padding bytes.
struct CodeModule {
  uintptr_t begin;  // of all segments
  uintptr_t end;
  uintptr_t header;      // .eh_frame_hdr; 0: no call frame information
  uint32_t frames;       // location of .eh_frame, as in the header
  uint32_t index_count;  // rows {code, description} at index(), sorted, as s32 relative to header
  uint32_t code_begin = 0;  // of the executable segments, in bytes from `begin`
  uint32_t code_end = 0;
  uint32_t is_vdso = 0;          // 1: the vDSO, which lacks call frame information on some CPUs
  uint32_t is_execute_only = 0;  // 1: by its segments' flags

  bool Holds(uintptr_t pc) const { return pc - begin < end - begin; }
  bool HoldsCode(uintptr_t pc) const { return pc - begin >= code_begin && pc - begin < code_end; }
  uintptr_t index() const { return header + 12; }  // after version, encodings, .eh_frame, count
};

class CodeModules {
 public:
  // Call first. `debug`: the linker's struct r_debug; 0: unknown. `vdso`: the kernel's library; 0:
  // none.
  void Open(uintptr_t debug, uintptr_t vdso);

  // Finds the library that contains pc. Context: signal
  bool Find(uintptr_t pc, CodeModule* module) const;
  // Whether a library contains pc. Context: signal
  bool Holds(uintptr_t pc) const;
  // Whether pc is in a library that the collector has seen. Context: signal
  bool IsInRow(uintptr_t pc) const;

  // Whether the library's instructions are readable, as far as known. Some libraries are unreadable
  // although their flags allow reading; one fault marks them. Context: signal
  bool CanReadCode(const CodeModule& module) const;
  void NoteUnreadable(const CodeModule& module) const;
  // The same for the code at pc, by a trial load. True outside libraries; false for a library's
  // data.
  bool TryCode(uintptr_t pc) const;
  bool TryCode(const CodeModule& module, uintptr_t pc) const;  // which pc is in
  // Whether pc is in a library's code that is known to be unreadable.
  bool IsUnreadableCode(uintptr_t pc) const;

  // Renews the rows if libraries were loaded since the last call. Context: collector
  void Refresh();
  // Adds the library whose ELF header is at `address`. Context: collector
  void AddLibrary(uintptr_t address);
  void Add(const CodeModule& module) { rows_.Add(module); }
  // The list's last entry when the rows were made; address 0: none.
  LinkEntry Last() const;

 private:
  static constexpr uint32_t kMaxModules = 1024;

  static constexpr uint32_t kUnreadable = 256;

  bool FindInList(uintptr_t pc, CodeModule* module) const;
  std::atomic<uintptr_t>& UnreadableAt(uintptr_t begin) const;

  core::RangeTable<CodeModule, kMaxModules> rows_;
  uintptr_t debug_ = 0;
  uintptr_t vdso_ = 0;
  // The list's last entry when the rows were made; address 0: none. Written by Refresh, read by the
  // handler, without order: a mixture matches no entry, and the handler then searches the list.
  std::atomic<uintptr_t> last_address_{0};
  std::atomic<uintptr_t> last_bias_{0};
  std::atomic<uintptr_t> last_dynamic_{0};
  std::atomic<uintptr_t> last_previous_{0};
  // Begin addresses of libraries whose code faulted on a trial, hashed. On a collision the library
  // is tried again. Written by handlers, cleared by Refresh (both relaxed).
  mutable std::atomic<uintptr_t> unreadable_[kUnreadable] = {};
};

// Reads .eh_frame_hdr at `header`; false if linkers do not write this form.
bool ReadFrameIndex(uintptr_t header, CodeModule* module);

}  // namespace stillframe::unwind
