// SPDX-License-Identifier: Apache-2.0
#include "src/native/library_changes.h"

#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "src/core/clock.h"
#include "src/elf/elf_reader.h"

namespace stillframe::native {
namespace {

using unwind::CodeModule;
using unwind::LinkEntry;

static_assert(sizeof(link_map::l_addr) == sizeof(uintptr_t));
static_assert(offsetof(link_map, l_prev) < core::kWatchedWords * sizeof(uintptr_t));

bool IsSame(const LinkEntry& one, const LinkEntry& other) {
  return one.address == other.address && one.bias == other.bias && one.dynamic == other.dynamic &&
         one.next == other.next && one.previous == other.previous;
}

// The list entry in the handler's copy.
LinkEntry EntryOf(const core::StackCopy& copy) {
  const auto word = [&copy](size_t offset) { return copy.watched[offset / sizeof(uintptr_t)]; };
  return {copy.watched_at, word(offsetof(link_map, l_addr)), word(offsetof(link_map, l_ld)),
          word(offsetof(link_map, l_next)), word(offsetof(link_map, l_prev))};
}

std::string BuildIdOf(const CodeModule& library) {
  const elf::ImageBytes bytes(library.begin, library.end);
  elf::ElfReader image(bytes, library.begin);
  return image.Open() ? image.BuildId() : "";
}

}  // namespace

void LibraryChanges::Begin(unwind::CodeModules* modules, const core::StackCopy& copy,
                           core::StackCopies* copies) {
  modules_ = modules;
  modules_->Refresh();
  LinkEntry last = modules_->Last();
  last.next = 0;
  begun_ns_ = core::MonotonicNs();
  if (!IsSame(last, last_)) {
    if (last_.address != 0) changed_ns_ = begun_ns_;
    last_ = last;
    ++generation_;
  }
  if (copies != nullptr) copies->Watch(LastEntry(*modules_));
  copied_ns_ = copy.wall_ns;
  is_same_ = last.address != 0 && IsSame(EntryOf(copy), last_);
}

core::StackCopies::Watched LibraryChanges::LastEntry(const unwind::CodeModules& modules) {
  const LinkEntry last = modules.Last();
  if (last.previous == 0) return {0, 0};
  return {last.address, last.previous + offsetof(link_map, l_next)};
}

bool LibraryChanges::HasChangedSince() {
  if (modules_ == nullptr || last_.address == 0) return false;
  const uint64_t now_ns = core::MonotonicNs();
  const bool may_be_back = now_ns - begun_ns_ > kQuickNs && now_ns - changed_ns_ < kLastingNs;
  if (!may_be_back && unwind::IsLastLinkEntry(last_)) return false;
  is_same_ = false;
  return true;
}

bool LibraryChanges::IsUnchanged(uintptr_t pc) {
  const Place* const place = modules_ == nullptr ? nullptr : PlaceOf(pc);
  return place == nullptr || is_same_ ||
         (!place->is_shared && place->first_ns + kLastingNs <= copied_ns_);
}

bool LibraryChanges::IsLasting(uintptr_t pc, uint64_t now_ns) {
  const Place* const place = modules_ == nullptr ? nullptr : PlaceOf(pc);
  return place == nullptr || (!place->is_shared && place->first_ns + kLastingNs <= now_ns);
}

// Null: no library at pc now.
LibraryChanges::Place* LibraryChanges::PlaceOf(uintptr_t pc) {
  CodeModule library;
  if (!modules_->Find(pc, &library)) return nullptr;
  const auto overlaps = [&library](const Place& place) {
    return place.begin < library.end && library.begin < place.end;
  };
  const auto known = std::ranges::find_if(places_, overlaps);
  if (known != places_.end()) {
    Look(&*known, library);
    return &*known;
  }
  if (places_.size() == kMaxPlaces) places_.clear();
  places_.push_back({library.begin, library.end, library, BuildIdOf(library), core::MonotonicNs(),
                     generation_, false});
  return &places_.back();
}

void LibraryChanges::Look(Place* place, const CodeModule& library) {
  const bool is_same_row = memcmp(&place->library, &library, sizeof library) == 0;
  if (is_same_row && place->generation == generation_) return;
  std::string build_id = BuildIdOf(library);
  if (!is_same_row || build_id != place->build_id) place->is_shared = true;
  place->begin = std::min(place->begin, library.begin);
  place->end = std::max(place->end, library.end);
  place->library = library;
  place->build_id = std::move(build_id);
  place->generation = generation_;
}

}  // namespace stillframe::native
