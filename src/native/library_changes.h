// SPDX-License-Identifier: Apache-2.0
// Decides whether a library was already in its present place when a stack was copied.
//
// Problem: libraries are loaded and unloaded between a sample and the walk of its copy, also into
// the same place. An unloaded one cannot be inspected.
// Rule: the handler also copies the last entry of the dynamic linker's list, if the entry before it
// leads there. Libraries loaded later are appended, so an unchanged entry proves that nothing was
// loaded since. Otherwise a library is accepted only if it was seen a second before the sample, and
// no other library was ever seen in its place.
// Surviving risk: a new library with the layout of the old one and its list entry is mistaken for
// it. So is a library that came and went between two looks, while an older library was away.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/core/stack_copies.h"
#include "src/unwind/code_modules.h"

namespace stillframe::native {

class LibraryChanges {
 public:
  // Call before the walk of a copy. `copies`: those that handlers take from now on, or null.
  void Begin(unwind::CodeModules* modules, const core::StackCopy& copy, core::StackCopies* copies);
  // Whether the library at pc is the one of the copy. True outside libraries.
  bool IsUnchanged(uintptr_t pc);
  // The list entry that each copy must include.
  static core::StackCopies::Watched LastEntry(const unwind::CodeModules& modules);
  // Whether a library was or may have been loaded after Begin. If so, look-ups since then may be of
  // another library.
  bool HasChangedSince();

  // Increases with each change of the list.
  uint64_t generation() const { return generation_; }
  // Whether the library at pc was seen a second before `now_ns`, and no other in its place.
  bool IsLasting(uintptr_t pc, uint64_t now_ns);

 private:
  static constexpr size_t kMaxPlaces = 1024;
  static constexpr uint64_t kLastingNs = 1'000'000'000;
  // Within this time no library is replaced twice.
  static constexpr uint64_t kQuickNs = 1'000'000;

  struct Place {
    uintptr_t begin;  // of all libraries seen to overlap
    uintptr_t end;
    unwind::CodeModule library;  // the newest of them
    std::string build_id;
    uint64_t first_ns;
    uint64_t generation;  // the list's, at the last look
    bool is_shared;       // several libraries used the place, one after the other
  };

  Place* PlaceOf(uintptr_t pc);
  void Look(Place* place, const unwind::CodeModule& library);

  unwind::CodeModules* modules_ = nullptr;
  unwind::LinkEntry last_ = {};
  uint64_t generation_ = 0;
  uint64_t changed_ns_ = 0;  // when the list was last found changed
  uint64_t begun_ns_ = 0;
  uint64_t copied_ns_ = 0;
  bool is_same_ = false;
  std::vector<Place> places_;
};

}  // namespace stillframe::native
