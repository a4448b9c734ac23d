// SPDX-License-Identifier: Apache-2.0
// The dynamic linker's list of libraries, read as a debugger reads it.
//
// Problem: the linker's lock may be held by the very thread that is interrupted, or hangs.
// Rule: no lock. Guarded loads of a list that may change meanwhile, so that its walk has a bound,
// and what it says of a place is believed only when an ELF header lies there.
// Surviving risk: a library that comes or goes during a walk may be missed by it.
#pragma once

#include <cstdint>

namespace stillframe::unwind {

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

}  // namespace stillframe::unwind
