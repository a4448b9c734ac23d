// SPDX-License-Identifier: Apache-2.0
// The libraries of this process as in a dump, and their names for code.
//
// Problem: a hanging thread may hold the dynamic linker's lock, which look-ups of names take too.
// Rule: no lock. Paths come from the kernel (/proc/self/maps); all else is read from the libraries
// in memory by guarded loads.
// Surviving risk: a library loaded or unloaded after Read is missed, or its code has no name.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "src/model/thread_stacks.h"
#include "src/native/file_symbols.h"
#include "src/native/native_part.h"
#include "src/unwind/code_modules.h"

namespace stillframe::elf {
struct Mapping;
}  // namespace stillframe::elf

namespace stillframe::native {

class LibraryList {
 public:
  static constexpr size_t kMaxLibraries = 1024;

  // Also takes names from files, if `files` is open. It must outlive this.
  void UseFiles(const FileSymbols* files) { files_ = files; }

  // Reads the libraries that are in `modules` and in the kernel's maps. Both must outlive this.
  void Read(const unwind::CodeModules& modules);

  void Forget();

  // Whether the list has this library, unchanged.
  bool Knows(const unwind::CodeModule& library) const;

  // The frame of code at `pc`, unnamed.
  model::NativeFrame Place(uintptr_t pc) const;

  // Names frames that Place made; reads each library's symbols once. Replaced libraries name
  // nothing.
  void Name(std::span<model::NativeFrame> frames) const;

  // Adds a part's frames to a thread, unnamed.
  void Describe(const NativePart& part, model::ThreadStack* stack) const;
  // Names all frames that Describe added. A large library's symbols take milliseconds to scan, so
  // call once, after all threads.
  void NameAll(model::ThreadStacks* stacks) const;

  const std::vector<model::Module>& libraries() const { return libraries_; }

 private:
  static void AddMapping(void* list, const elf::Mapping& mapping, std::string_view path);
  using Lists = std::span<const std::span<model::NativeFrame>>;
  void NameLists(Lists lists) const;

  const unwind::CodeModules* modules_ = nullptr;
  const FileSymbols* files_ = nullptr;
  std::vector<model::Module> libraries_;  // sorted by address
  std::vector<unwind::CodeModule> rows_;  // parallel to libraries_
};

}  // namespace stillframe::native
