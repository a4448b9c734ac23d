// SPDX-License-Identifier: Apache-2.0
// The libraries of this process with their call frame information (.eh_frame_hdr).
//
// A snapshot of the dynamic linker's list that the collector renews when the list has grown. What
// was loaded since is looked up in the list itself, and a row whose library has given its place to
// another one is told by its header. Oat files, which the linker loads too, are no libraries.
// Context: signal (Find, IsInRow), collector (all else, the only writer)
#pragma once

#include <atomic>
#include <cstdint>

#include "src/core/range_table.h"

namespace stillframe::unwind {

// The dynamic linker's list of libraries, read as a debugger reads it.
//
// Problem: the linker's lock may be held by the very thread that is interrupted, or hangs.
// Rule: no lock. Guarded loads of a list that may change meanwhile, so that its walk has a bound,
// and what it says of a place is believed only when an ELF header lies there.
// Surviving risk: a library that comes or goes during a walk may be missed by it.
// An entry of the list: struct link_map of <link.h>.
struct LinkEntry {
  uintptr_t address;
  uintptr_t
      bias;  // where the library's first segment is, unless it is a program of fixed addresses
  uintptr_t dynamic;
  uintptr_t next;
  uintptr_t previous;
};

// False when there is none at `address`, or no more.
bool LoadLinkEntry(uintptr_t address, LinkEntry* entry);

// Address of the list's first entry; 0: none. `debug` is the linker's struct r_debug.
uintptr_t FirstLinkEntry(uintptr_t debug);

// Whether `last`, of an earlier walk, still is the last entry of the list: libraries that are
// loaded later come after it.
bool IsLastLinkEntry(const LinkEntry& last);

// Whole words, so that no bytes of a row mean nothing.
struct CodeModule {
  uintptr_t begin;  // of all its segments
  uintptr_t end;
  uintptr_t header;      // .eh_frame_hdr; 0: nothing describes its code
  uint32_t frames;       // where .eh_frame is, as the header says it
  uint32_t index_count;  // rows {code, description} at index(), sorted, as s32 relative to header
  uint32_t code_begin = 0;  // of the segments that run, in bytes from `begin`
  uint32_t code_end = 0;
  uint32_t is_vdso = 0;          // 1: the kernel's library, which is not described on every CPU
  uint32_t is_execute_only = 0;  // 1: its segments say so

  bool Holds(uintptr_t pc) const { return pc - begin < end - begin; }
  bool HoldsCode(uintptr_t pc) const { return pc - begin >= code_begin && pc - begin < code_end; }
  uintptr_t index() const { return header + 12; }  // after versions, encodings, .eh_frame, count
};

class CodeModules {
 public:
  // `debug`: the linker's struct r_debug, 0 when it is not known; `vdso`: the kernel's library, or
  // 0. Before anybody else calls.
  void Open(uintptr_t debug, uintptr_t vdso);

  // The library that holds pc. Context: signal
  bool Find(uintptr_t pc, CodeModule* module) const;
  // Whether one does. Context: signal
  bool Holds(uintptr_t pc) const;
  // Whether pc is in a library that the collector has seen. Context: signal
  bool IsInRow(uintptr_t pc) const;

  // Whether the library's instructions can be read, as far as is known. One fault tells it of a
  // library whose segments do not. Context: signal
  bool CanReadCode(const CodeModule& module) const;
  void NoteUnreadable(const CodeModule& module) const;
  // The same of the code of a library at pc, which is tried. True of what is in no library; false
  // of a library's other places.
  bool TryCode(uintptr_t pc) const;
  // Whether a library's code at pc is known not to be readable.
  bool IsUnreadableCode(uintptr_t pc) const;

  // Looks what was loaded and unloaded, if anything was loaded since the last time. Context:
  // collector
  void Refresh();
  // The library whose ELF header is at `address`. Context: collector
  void AddLibrary(uintptr_t address);
  void Add(const CodeModule& module) { rows_.Add(module); }
  // The list's last entry when the rows were made; address 0: none was.
  LinkEntry Last() const;

 private:
  static constexpr uint32_t kMaxModules = 1024;

  static constexpr uint32_t kUnreadable = 256;

  bool FindInList(uintptr_t pc, CodeModule* module) const;
  std::atomic<uintptr_t>& UnreadableAt(uintptr_t begin) const;

  core::RangeTable<CodeModule, kMaxModules> rows_;
  uintptr_t debug_ = 0;
  uintptr_t vdso_ = 0;
  // The list's last entry when the rows were made; address 0: none was. Written by Refresh, read by
  // the handler, each for itself: a mixture is no entry's, and makes the handler look at the list.
  std::atomic<uintptr_t> last_address_{0};
  std::atomic<uintptr_t> last_bias_{0};
  std::atomic<uintptr_t> last_dynamic_{0};
  std::atomic<uintptr_t> last_previous_{0};
  // Where libraries begin whose code was tried and faulted, by their addresses; one of several at
  // a place is tried again. Written by handlers, cleared by Refresh (both relaxed).
  mutable std::atomic<uintptr_t> unreadable_[kUnreadable] = {};
};

// Reads .eh_frame_hdr at `header`; false when its form is not the one linkers write.
bool ReadFrameIndex(uintptr_t header, CodeModule* module);

}  // namespace stillframe::unwind
