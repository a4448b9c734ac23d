// SPDX-License-Identifier: Apache-2.0
// The libraries of this process as a dump describes them, and the names that they have for code.
//
// Problem: the dynamic linker's lock may be held by a thread that hangs, also for names. Rule: no
// lock; paths are the kernel's (/proc/self/maps), all else is read by guarded loads from the
// libraries as they lie in memory. Surviving risk: a library that comes or goes after Read is
// missed, or its code has no name.
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

  // Names come from files as well, where those are open. Must outlive this.
  void UseFiles(const FileSymbols* files) { files_ = files; }

  // The libraries that `modules` knows and the kernel has mapped. Both must outlive this.
  void Read(const unwind::CodeModules& modules);

  void Forget();

  // Whether it is among them as it was then.
  bool Knows(const unwind::CodeModule& library) const;

  // The frame of code at `pc`, without its name.
  model::NativeFrame Place(uintptr_t pc) const;

  // Names frames that Place made, each library's symbols being read once. A library that is another
  // one by now names nothing.
  void Name(std::span<model::NativeFrame> frames) const;

  // Adds a part's frames to a thread, without names.
  void Describe(const NativePart& part, model::ThreadStack* stack) const;
  // Names all frames that Describe added. Symbols of large libraries take milliseconds to look
  // through: once, when all threads were looked at.
  void NameAll(model::ThreadStacks* stacks) const;

  const std::vector<model::Module>& libraries() const { return libraries_; }

 private:
  static void AddMapping(void* list, const elf::Mapping& mapping, std::string_view path);
  using Lists = std::span<const std::span<model::NativeFrame>>;
  void NameLists(Lists lists) const;

  const unwind::CodeModules* modules_ = nullptr;
  const FileSymbols* files_ = nullptr;
  std::vector<model::Module> libraries_;  // rise by address
  std::vector<unwind::CodeModule> rows_;  // of each of them
};

}  // namespace stillframe::native
