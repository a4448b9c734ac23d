// SPDX-License-Identifier: Apache-2.0
#include "src/native/native_frames.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "src/core/clock.h"
#include "src/core/counters.h"
#include "src/native/native_part.h"
#include "src/os/log.h"

namespace stillframe::native {
namespace {

std::string Hex(uint64_t number) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (; number != 0 || text.empty(); number >>= 4)
    text.insert(text.begin(), kDigits[number & 15U]);
  return "0x" + text;
}

// ART 10 to 14 runtime/interpreter/interpreter_switch_impl.h, interpreter.h.
bool IsInterpretersLoop(std::string_view symbol) {
  return symbol.find("ExecuteSwitchImpl") != std::string_view::npos ||
         symbol.find("ArtInterpreterToInterpreterBridge") != std::string_view::npos;
}

void LogAbsent(const char* what) {
  os::Log("native frames are without %s: it cannot be loaded, or this build has none", what);
}

}  // namespace

void NativeFrames::Open(const Setup& setup, core::StackCopies* copies) {
  blocked_words_.resize(kCopiedBytes / sizeof(uintptr_t));
  if (stack_.Create(kCopiedBytes) && copies->Create({kCopiedBytes, kRingBytes, facts_.stack_low,
                                                     facts_.stack_high, facts_.managed_stack}))
    copies_ = copies;
  else
    os::Log("no memory for native frames");
  for (const Counter counter :
       {Counter::kNativeCopies, Counter::kNativeCopiesNoSlot, Counter::kNativeCopiesOtherStack,
        Counter::kNativeCopiesUnreadable, Counter::kNativeCopiesThreadUnread})
    core::Counters::Show(counter, copies_ != nullptr);
  // So that the first sample too can be distinguished from later libraries.
  facts_.modules->Refresh();
  copies->Watch(LibraryChanges::LastEntry(*facts_.modules));
  if (setup.with_libunwind && !stack_.UseLibunwind(*facts_.modules)) LogAbsent("libunwind");
  if (setup.with_files && !files_.Open()) LogAbsent("libelf");
  libraries_.UseFiles(&files_);
}

// Copies are in the order of their samples; some samples have none.
std::span<const MixedFrame> NativeFrames::OfSample(const core::RawSample& sample, uint64_t wall_ns,
                                                   const core::Sampler& sampler) {
  if (copies_ == nullptr) return {};
  core::StackCopies& copies = *copies_;
  const uintptr_t* words = nullptr;
  const core::StackCopy* copy = copies.Peek(&words);
  for (; copy != nullptr && copy->wall_ns < wall_ns; copy = copies.Peek(&words)) copies.Release();
  if (copy == nullptr || copy->wall_ns != wall_ns) return {};
  changes_.Begin(facts_.modules, *copy, &copies);
  managed_.clear();
  for (uint32_t i = 0; i < sample.depth; ++i) managed_.push_back(sampler.FrameAt(i));
  const std::span<const MixedFrame> frames =
      stack_.Read(*copy, words, {managed_, sample.thread_state, true}, &changes_);
  copies.Release();
  return frames;
}

bool NativeFrames::CopyBlocked(int32_t tid, uintptr_t thread, const walk::RuntimeFacts& facts) {
  if (!is_open()) return false;
  KernelEntry entry;
  standing_.registers = {};
  const KernelPlace place = ReadKernelEntry(tid, &entry);
  is_ready_ = place == KernelPlace::kReady;
  if (place == KernelPlace::kKnown)
    standing_.registers = RegistersAt(entry);
  else if (thread != 0)
    entry.sp = InnermostManagedFrame(facts, thread);
  if (entry.sp < facts.stack_low || entry.sp >= facts.stack_high ||
      entry.sp % sizeof(uintptr_t) != 0)
    return false;
  for (uint32_t i = 0; i < core::kThreadWords; ++i) {
    const uintptr_t at = thread + facts.managed_stack + i * sizeof(uintptr_t);
    standing_.thread_words[i] = 0;
    if (thread != 0 && !arch::GuardedLoadWord(at, &standing_.thread_words[i])) return false;
  }
  standing_.wall_ns = core::MonotonicNs();
  core::StackCopies::CopyWatched(LibraryChanges::LastEntry(*facts_.modules), &standing_);
  changes_.Begin(facts_.modules, standing_, nullptr);
  standing_.begin = entry.sp;
  const size_t most =
      std::min(blocked_words_.size(), (facts.stack_high - entry.sp) / sizeof(uintptr_t));
  size_t words = 0;
  while (words < most &&
         arch::GuardedLoadWord(entry.sp + words * sizeof(uintptr_t), &blocked_words_[words]))
    ++words;
  standing_.bytes = static_cast<uint32_t>(words * sizeof(uintptr_t));
  return words != 0;
}

// Hides the runtime's frames on paths to and from managed code. Inside the top managed frame such a
// path begins at the interpreter's loop.
void NativeFrames::Resolve(std::span<const MixedFrame> native) {
  ForgetChanged();
  std::vector<uintptr_t> unknown;
  for (const MixedFrame& frame : native) {
    const Known* const known = Find(frame.pc);
    if (frame.pc != 0 && (known == nullptr || !known->is_proven)) unknown.push_back(frame.pc);
  }
  if (known_.size() + unknown.size() > kMaxKnown) {
    known_.clear();
    unknown.clear();
    for (const MixedFrame& frame : native)
      if (frame.pc != 0) unknown.push_back(frame.pc);
  }
  if (!unknown.empty()) Learn(unknown);
  resolved_.clear();
  bool is_interpreter = false;
  for (const MixedFrame& frame : native) {
    if (frame.pc == 0) {
      resolved_.push_back(Mark());
      continue;
    }
    const Known* const known = Find(frame.pc);
    is_interpreter = is_interpreter || (known != nullptr && known->is_interpreters);
    const bool is_way = frame.is_passage || is_interpreter;
    // Frames in an unloaded library are hidden.
    const bool is_shown = known != nullptr && !(is_way && known->is_runtimes);
    resolved_.push_back(is_shown ? known->frame : kNone);
  }
  const bool has_changed = changes_.HasChangedSince();
  if (!unknown.empty() && has_changed) libraries_.Forget();
  if (!unknown.empty() && !has_changed)
    for (Known& known : known_) known.is_proven = true;
  if (!has_changed) return;
  for (size_t i = 0; i < native.size(); ++i)
    if (native[i].pc != 0 && !changes_.IsUnchanged(native[i].pc)) resolved_[i] = Mark();
}

model::FrameId NativeFrames::Mark() {
  return frame_table_.InternFrame("", "[native frames missing]", "", "", model::kLineUnknown,
                                  model::FrameKind::kNative);
}

// A new library may have the size and row count of the one it replaced.
void NativeFrames::ForgetChanged() {
  if (changes_.generation() == known_generation_) return;
  known_generation_ = changes_.generation();
  libraries_.Forget();
  const uint64_t now_ns = core::MonotonicNs();
  std::erase_if(known_, [&](const Known& known) { return !changes_.IsLasting(known.pc, now_ns); });
}

const NativeFrames::Known* NativeFrames::Find(uintptr_t pc) const {
  for (const Known& known : known_) {
    if (known.pc != pc) continue;
    unwind::CodeModule now = {};
    if (!facts_.modules->Find(pc, &now)) now = {};
    if (memcmp(&known.library, &now, sizeof now) == 0) return &known;
  }
  return nullptr;
}

std::vector<NativeFrames::Known> NativeFrames::TakeUnproven() {
  const auto begin = std::partition(known_.begin(), known_.end(),
                                    [](const Known& known) { return known.is_proven; });
  std::vector<Known> unproven(begin, known_.end());
  known_.erase(begin, known_.end());
  return unproven;
}

// Scans each library's symbols once for all of them.
void NativeFrames::Learn(const std::vector<uintptr_t>& pcs) {
  const std::vector<Known> before = TakeUnproven();
  std::vector<model::NativeFrame> places;
  const size_t first = known_.size();
  for (const uintptr_t pc : pcs) {
    Known known;
    known.pc = pc;
    if (!facts_.modules->Find(pc, &known.library))
      known.library = {};
    else if (!libraries_.Knows(known.library))
      libraries_.Read(*facts_.modules);
    known_.push_back(known);
  }
  for (size_t i = first; i < known_.size(); ++i) {
    places.emplace_back();
    places.back().address = known_[i].pc;
    if (libraries_.Knows(known_[i].library)) places.back() = libraries_.Place(known_[i].pc);
  }
  libraries_.Name(places);
  for (size_t i = first; i < known_.size(); ++i) {
    Known& known = known_[i];
    Describe(places[i - first], &known);
    known.is_proven = std::ranges::any_of(before, [&known](const Known& other) {
      return other.pc == known.pc && other.frame == known.frame &&
             memcmp(&other.library, &known.library, sizeof known.library) == 0;
    });
  }
}

void NativeFrames::Describe(const model::NativeFrame& place, Known* known) {
  const std::string address = Hex(place.address);
  std::string library;
  std::string identity = "+" + address;
  if (place.module != 0) {
    const model::Module& module = libraries_.libraries()[place.module - 1];
    library = module.path.substr(module.path.find_last_of("/!") + 1);
    identity.insert(0, module.build_id);
    known->is_runtimes = library.starts_with("libart.so") || library.starts_with("libartd.so");
    known->is_interpreters = known->is_runtimes && IsInterpretersLoop(place.symbol);
  }
  known->frame =
      frame_table_.InternFrame(library, place.symbol.empty() ? address : place.symbol, identity, "",
                               model::kLineUnknown, model::FrameKind::kNative);
}

}  // namespace stillframe::native
