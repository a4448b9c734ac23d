// SPDX-License-Identifier: Apache-2.0
#include "src/native/library_list.h"

#include <algorithm>
#include <cstring>

#include "src/elf/elf_reader.h"
#include "src/elf/loaded_library.h"

namespace stillframe::native {

using elf::ElfReader;
using elf::ImageBytes;
using model::Module;
using model::NativeFrame;

namespace {

constexpr bool kIsNaming = STILLFRAME_NATIVE_NAMES;

void NameIn(const Module& library, std::span<const ElfReader::NamedPlace> places) {
  const ImageBytes bytes(static_cast<uintptr_t>(library.begin),
                         static_cast<uintptr_t>(library.end));
  ElfReader image(bytes, static_cast<uintptr_t>(library.begin));
  if (image.Open() && image.BuildId() == library.build_id) image.NameByDynamic(places);
}

}  // namespace

void LibraryList::Forget() {
  libraries_.clear();
  rows_.clear();
}

void LibraryList::Read(const unwind::CodeModules& modules) {
  modules_ = &modules;
  Forget();
  elf::VisitMappings(elf::ReadOwnMaps(), AddMapping, this);
}

// A library's first mapping contains its ELF header.
void LibraryList::AddMapping(void* list_argument, const elf::Mapping& mapping,
                             std::string_view path) {
  auto* list = static_cast<LibraryList*>(list_argument);
  unwind::CodeModule found;
  if (path.empty() || !mapping.is_readable || list->libraries_.size() == kMaxLibraries ||
      !list->modules_->Find(mapping.begin, &found) || found.begin != mapping.begin)
    return;
  const ImageBytes bytes(found.begin, found.end);
  ElfReader image(bytes, found.begin);
  if (!image.Open()) return;
  Module library;
  library.path = path;
  if (path.ends_with(".apk")) library.path += "!" + image.Soname();
  library.build_id = image.BuildId();
  library.begin = found.begin;
  library.end = found.end;
  library.bias = image.BiasAt(found.begin);
  list->libraries_.push_back(std::move(library));
  list->rows_.push_back(found);
}

bool LibraryList::Knows(const unwind::CodeModule& library) const {
  return std::any_of(
      rows_.begin(), rows_.end(),
      [&library](const unwind::CodeModule& row) {
        return memcmp(&row, &library, sizeof row) == 0;
      });
}

NativeFrame LibraryList::Place(uintptr_t pc) const {
  NativeFrame frame;
  frame.address = pc;
  for (size_t i = 0; i < libraries_.size(); ++i) {
    if (pc - libraries_[i].begin >= libraries_[i].end - libraries_[i].begin) continue;
    frame.module = static_cast<uint32_t>(i + 1);
    frame.address = pc - libraries_[i].bias;
  }
  return frame;
}

void LibraryList::Describe(const NativePart& part, model::ThreadStack* stack) const {
  stack->native_absent = part.absent;
  stack->native_is_truncated = part.is_truncated;
  for (const uintptr_t pc : part.pcs) stack->native.push_back(Place(pc));
}

void LibraryList::Name(std::span<NativeFrame> frames) const { NameLists({&frames, 1}); }

void LibraryList::NameAll(model::ThreadStacks* stacks) const {
  std::vector<std::span<NativeFrame>> lists;
  for (model::ThreadStack& stack : stacks->stacks) lists.emplace_back(stack.native);
  NameLists(lists);
}

void LibraryList::NameLists(Lists lists) const {
  if constexpr (!kIsNaming) return;
  for (uint32_t number = 1; number <= libraries_.size(); ++number) {
    std::vector<ElfReader::NamedPlace> places;
    for (const std::span<NativeFrame> frames : lists)
      for (NativeFrame& frame : frames)
        if (frame.module == number) places.push_back({frame.address, &frame.symbol});
    const Module& library = libraries_[number - 1];
    if (places.empty()) continue;
    NameIn(library, places);
    if (files_ == nullptr) continue;
    std::vector<FileSymbols::Place> in_file;
    in_file.reserve(places.size());
    for (const ElfReader::NamedPlace& place : places)
      in_file.push_back({place.address, place.name});
    files_->Name(library.path, library.build_id, in_file);
  }
}

}  // namespace stillframe::native
