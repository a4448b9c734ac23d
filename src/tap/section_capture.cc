// SPDX-License-Identifier: Apache-2.0
#include "src/tap/section_capture.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "src/core/clock.h"
#include "src/elf/import_slot.h"
#include "src/elf/loaded_library.h"
#include "src/os/log.h"
#include "src/tap/section_ring.h"

namespace stillframe::tap {
namespace {

using model::Status;

constexpr char kParts = '|';

// Removes and returns the last field.
std::string_view TakeLast(std::string_view* text) {
  const size_t at = text->rfind(kParts);
  if (at == std::string_view::npos) return {};
  const std::string_view last = text->substr(at + 1);
  *text = text->substr(0, at);
  return last;
}

std::string_view TakeFirst(std::string_view* text) {
  const std::string_view first = text->substr(0, text->find(kParts));
  text->remove_prefix(first.size() == text->size() ? first.size() : first.size() + 1);
  return first;
}

bool ReadNumber(std::string_view text, int64_t* number) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), *number);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

model::TraceEventKind KindOf(char letter) {
  using Kind = model::TraceEventKind;
  switch (letter) {
    case 'B': return Kind::kBegin;
    case 'E': return Kind::kEnd;
    case 'S':
    case 'G': return Kind::kAsyncBegin;
    case 'F':
    case 'H': return Kind::kAsyncEnd;
    case 'C': return Kind::kCounter;
    case 'I':
    case 'N': return Kind::kInstant;
    default: return Kind::kUnknown;
  }
}

// If false, nothing below is linked except the report of it.
constexpr bool kIsBuilt = STILLFRAME_SECTIONS;

using WriteFunction = ssize_t (*)(int, const void*, size_t);
// bionic's write for a buffer of known size.
using CheckedWriteFunction = ssize_t (*)(int, const void*, size_t, size_t);

constexpr const char* kLibraries[] = {"/libcutils.so", "/libcutils.so.0"};
constexpr const char* kWrite = "write";
constexpr const char* kCheckedWrite = "__write_chk";

// Always, input, view, window manager, activity manager, application, resources, dalvik, database
// (AOSP cutils/trace.h).
constexpr uint64_t kOurTags =
    1U << 0 | 1U << 2 | 1U << 3 | 1U << 5 | 1U << 6 | 1U << 12 | 1U << 13 | 1U << 14 | 1U << 20;
// Bits that do not mean the system traces: "not asked yet", and the tag that is always on.
constexpr uint64_t kNoTrace = uint64_t{1} << 63 | 1U << 0;

// Written by the collector before its functions are in the table (release); read on any thread
// (acquire). The originals and the marker never change once set.
std::atomic<WatchedLoopers*> g_loopers{nullptr};  // null: nothing is kept
std::atomic<WriteFunction> g_write{nullptr};
std::atomic<CheckedWriteFunction> g_checked_write{nullptr};
std::atomic<const int*> g_marker{nullptr};
std::atomic<bool> g_passes_on{true};

// Keeps the text, if it is one. Returns whether to forward the write.
bool Take(int fd, const void* data, size_t bytes) {
  WatchedLoopers* loopers = g_loopers.load(std::memory_order_acquire);
  const int* marker = g_marker.load(std::memory_order_acquire);
  const std::string_view text(static_cast<const char*>(data), bytes);
  if (loopers == nullptr || marker == nullptr || fd != __atomic_load_n(marker, __ATOMIC_RELAXED) ||
      !IsSectionText(text))
    return true;
  WatchedLooper* looper = loopers->Known();
  SectionRing* ring =
      looper != nullptr ? looper->sections.load(std::memory_order_acquire) : nullptr;
  if (ring != nullptr) ring->Write(core::MonotonicNs(), text);
  return g_passes_on.load(std::memory_order_relaxed);
}

ssize_t OnWrite(int fd, const void* data, size_t bytes) {
  if (!Take(fd, data, bytes)) return static_cast<ssize_t>(bytes);
  return g_write.load(std::memory_order_acquire)(fd, data, bytes);
}

ssize_t OnCheckedWrite(int fd, const void* data, size_t bytes, size_t room) {
  if (!Take(fd, data, bytes)) return static_cast<ssize_t>(bytes);
  return g_checked_write.load(std::memory_order_acquire)(fd, data, bytes, room);
}

// Puts `ours` into the library's slot. The original is stored first, before any call can need it.
template <typename Function>
bool TakePlace(const char* library, const char* symbol, Function ours,
               std::atomic<Function>* original) {
  uintptr_t* slot = elf::FindImportSlot(library, symbol);
  if (slot == nullptr) return false;
  constexpr int kMostTries = 3;  // another component may change the slot at the same time
  for (int i = 0; i < kMostTries; ++i) {
    const uintptr_t now = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (now == reinterpret_cast<uintptr_t>(ours)) return true;
    original->store(reinterpret_cast<Function>(now), std::memory_order_release);
    if (elf::SetImportSlot(slot, now, reinterpret_cast<uintptr_t>(ours))) return true;
  }
  return false;
}

template <typename Function>
void RestoreSlot(const char* library, const char* symbol, Function ours,
                 const std::atomic<Function>& original) {
  uintptr_t* slot = elf::FindImportSlot(library, symbol);
  if (slot != nullptr)
    elf::SetImportSlot(slot, reinterpret_cast<uintptr_t>(ours),
                       reinterpret_cast<uintptr_t>(original.load()));
}

void AddEvent(void* events, uint64_t at_ns, std::string_view text) {
  std::optional<model::TraceEvent> event = ParseSectionText(text);
  if (!event) return;
  event->at_ns = at_ns;
  static_cast<std::vector<model::TraceEvent>*>(events)->push_back(std::move(*event));
}

}  // namespace

bool IsSectionText(std::string_view text) {
  return !text.empty() && KindOf(text[0]) != model::TraceEventKind::kUnknown &&
         (text.size() == 1 || text[1] == kParts);
}

std::optional<model::TraceEvent> ParseSectionText(std::string_view text) {
  if (!IsSectionText(text)) return {};
  model::TraceEvent event;
  event.kind = KindOf(text[0]);
  const char letter = text[0];
  text.remove_prefix(text.size() == 1 ? 1 : 2);
  // AOSP 8 and earlier write an end without a pid.
  int64_t pid = 0;
  if (!ReadNumber(TakeFirst(&text), &pid) && letter != 'E') return {};
  const bool has_value = event.kind == model::TraceEventKind::kAsyncBegin ||
                         event.kind == model::TraceEventKind::kAsyncEnd ||
                         event.kind == model::TraceEventKind::kCounter;
  if (has_value && !ReadNumber(TakeLast(&text), &event.value)) return {};
  if (letter == 'G' || letter == 'H' || letter == 'N') event.track = TakeFirst(&text);
  if (event.kind != model::TraceEventKind::kEnd) event.name = text;
  return event;
}

void SectionCapture::Start(WatchedLoopers* loopers) {
  if constexpr (!kIsBuilt) os::Log("this build has no sections of the trace marker");
  loopers_ = loopers;
}

model::Outcome SectionCapture::Install() {
  uintptr_t marker = 0;
  for (const char* library : kLibraries) {
    marker = elf::FindLoadedSymbol(library, "atrace_marker_fd", elf::SymbolKind::kData);
    library_ = library;
    if (marker != 0) break;
  }
  if (marker == 0) return {Status::kUnavailable, "no libcutils that writes to a trace marker"};
  tags_ = reinterpret_cast<uint64_t*>(
      elf::FindLoadedSymbol(library_, "atrace_enabled_tags", elf::SymbolKind::kData));
  if (tags_ == nullptr) return {Status::kUnavailable, "libcutils does not show its tags"};
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(marker), &info) != 0 && info.dli_fname != nullptr)
    hold_ = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  g_marker.store(reinterpret_cast<const int*>(marker), std::memory_order_release);
  const bool writes = TakePlace(library_, kWrite, OnWrite, &g_write);
  const bool checks = TakePlace(library_, kCheckedWrite, OnCheckedWrite, &g_checked_write);
  if (writes || checks) return {};
  if (hold_ != nullptr) dlclose(hold_);
  hold_ = nullptr;
  return {Status::kUnavailable, "libcutils has no slot for write that can be changed"};
}

void SectionCapture::KeepTags() {
  const uint64_t tags = __atomic_load_n(tags_, __ATOMIC_RELAXED);
  if ((tags & kOurTags) == kOurTags && system_tags_ != UINT64_MAX) return;
  system_tags_ = tags;
  g_passes_on.store((tags & ~kNoTrace) != 0, std::memory_order_relaxed);
  __atomic_store_n(tags_, tags | kOurTags, __ATOMIC_RELAXED);
}

void SectionCapture::Keep(bool is_wanted) {
  if constexpr (!kIsBuilt) return;
  if (loopers_ == nullptr || (!is_wanted && !installed_.ok())) return;
  if (!is_wanted) return Undo();
  if (installed_.status == Status::kTooEarly) {
    installed_ = Install();
    system_tags_ = UINT64_MAX;
  }
  if (!installed_.ok()) return;
  for (uint32_t i = 0; i < WatchedLoopers::kMaxLoopers; ++i) {
    WatchedLooper* looper = loopers_->At(i);
    if (looper == nullptr || looper->sections.load(std::memory_order_relaxed) != nullptr) continue;
    // Never freed: its thread may be using it.
    auto* ring = new SectionRing;
    if (ring->Create()) looper->sections.store(ring, std::memory_order_release);
  }
  g_loopers.store(loopers_, std::memory_order_release);
  KeepTags();
}

void SectionCapture::Undo() {
  g_loopers.store(nullptr, std::memory_order_release);
  if (__atomic_load_n(tags_, __ATOMIC_RELAXED) == (system_tags_ | kOurTags))
    __atomic_store_n(tags_, system_tags_, __ATOMIC_RELAXED);
  RestoreSlot(library_, kWrite, OnWrite, g_write);
  RestoreSlot(library_, kCheckedWrite, OnCheckedWrite, g_checked_write);
  if (hold_ != nullptr) dlclose(hold_);
  hold_ = nullptr;
  installed_ = {Status::kTooEarly, "stopped"};
}

model::TraceSections SectionCapture::Describe() const {
  if constexpr (!kIsBuilt) return {"this build has no sections of the trace marker", {}};
  model::TraceSections sections;
  sections.absent = installed_.why;
  for (uint32_t i = 0; i < WatchedLoopers::kMaxLoopers; ++i) {
    const WatchedLooper* looper = loopers_->At(i);
    const SectionRing* ring =
        looper != nullptr ? looper->sections.load(std::memory_order_acquire) : nullptr;
    if (ring == nullptr) continue;
    model::LooperSections one;
    one.looper = i;
    one.lost = ring->Read(AddEvent, &one.events) + ring->lost();
    one.lost -= std::min<uint64_t>(one.lost, one.events.size());
    sections.loopers.push_back(std::move(one));
  }
  return sections;
}

void SectionCapture::Forget() { g_loopers.store(nullptr, std::memory_order_release); }

}  // namespace stillframe::tap
