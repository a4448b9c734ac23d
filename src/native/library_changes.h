// SPDX-License-Identifier: Apache-2.0
// Whether the library that is in a place now was there when a stack was copied.
//
// Problem: libraries come and go, also into the place of others, between a sample and the walk over
// its copy; one that is gone cannot be asked. Rule: the handler copies the last entry of the
// dynamic linker's list along, to which whatever is loaded later is added, if the entry before it
// led there. Where it is what it is now, nothing was loaded in between, and what is there was
// there. Else a library is believed only if it was seen a second before the sample, and nothing but
// it ever in its place. Surviving risk: what takes the place of one of the very same layout, and
// its entry in the list, is taken for it, and so is what came and went between two looks while a
// library of a second ago was away.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/core/stack_copies.h"
#include "src/unwind/code_modules.h"

namespace stillframe::native {

class LibraryChanges {
 public:
  // Of a copy that is walked next. `copies`: those that handlers take from now on, or null.
  void Begin(unwind::CodeModules* modules, const core::StackCopy& copy, core::StackCopies* copies);
  // Whether the library at pc is the copied code's. True where there is none.
  bool IsAsThen(uintptr_t pc);
  // What a copy needs for that.
  static core::StackCopies::Watched LastEntry(const unwind::CodeModules& modules);
  // Whether something was, or may have been, loaded after Begin: what was looked up since may be
  // another library's.
  bool HasChangedSince();

  // Changes with the list.
  uint64_t generation() const { return generation_; }
  // Whether it was seen a second ago, and nothing else there.
  bool IsLasting(uintptr_t pc, uint64_t now_ns);

 private:
  static constexpr size_t kMaxPlaces = 1024;
  static constexpr uint64_t kLastingNs = 1'000'000'000;
  // So soon no library goes and comes again with another in its place in between.
  static constexpr uint64_t kQuickNs = 1'000'000;

  struct Place {
    uintptr_t begin;  // of all libraries that were seen to overlap
    uintptr_t end;
    unwind::CodeModule library;  // the newest of them
    std::string build_id;
    uint64_t first_ns;
    uint64_t generation;  // when it was looked at
    bool is_shared;       // by several libraries, one after the other
  };

  Place* PlaceOf(uintptr_t pc);
  void Look(Place* place, const unwind::CodeModule& library);

  unwind::CodeModules* modules_ = nullptr;
  unwind::LinkEntry last_ = {};
  uint64_t generation_ = 0;
  uint64_t changed_ns_ = 0;  // when the list was last seen to differ from before
  uint64_t begun_ns_ = 0;
  uint64_t copied_ns_ = 0;
  bool is_same_ = false;
  std::vector<Place> places_;
};

}  // namespace stillframe::native
