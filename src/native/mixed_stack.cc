// SPDX-License-Identifier: Apache-2.0
#include "src/native/mixed_stack.h"

#include <ucontext.h>

#include <algorithm>
#include <cstring>

#include "src/native/native_steps.h"
#include "src/unwind/frame_description.h"
#include "src/unwind/frame_rules.h"
#include "src/walk/fragment.h"
#include "src/walk/walk.h"

namespace stillframe::native {
namespace {

using arch::UnwindRegisters;
using core::RawFrame;
using core::RawFrameKind;
using core::Truncation;

constexpr uintptr_t kWord = sizeof(uintptr_t);

// More than art::Thread has; words that are not copied are null.
constexpr size_t kThreadWords = 1024;

bool IsSame(const RawFrame& one, const RawFrame& other) {
  return one.method == other.method && one.dex_pc == other.dex_pc && one.kind == other.kind;
}

bool IsMark(const RawFrame& frame, Truncation truncation) {
  return frame.kind == RawFrameKind::kTruncated &&
         frame.method == static_cast<uint64_t>(truncation);
}

bool LoadWord(uintptr_t address, uintptr_t* word) { return arch::GuardedLoadWord(address, word); }

}  // namespace

const std::vector<MixedFrame>& MixedStack::Read(const core::StackCopy& copy, const uintptr_t* words,
                                                const Managed& managed, LibraryChanges* changes) {
  changes_ = changes;
  const bool is_other = managed.stack_high != 0;
  slice_.Load(copy, words, is_other ? managed.stack_low : facts_.stack_low,
              is_other ? managed.stack_high : facts_.stack_high);
  mixed_.clear();
  FindFragments(managed);
  FindNativeFrames(static_cast<uint32_t>(managed.frames.size()));
  return mixed_;
}

// The thread's own fragment is in thread_, a stand-in for its structure.
void MixedStack::FindFragments(const Managed& managed) {
  const walk::Layout& layout = *facts_.layout;
  thread_.assign(kThreadWords, 0);
  found_.resize(managed.frames.size() + 2);
  links_.clear();
  has_all_links_ = false;
  managed_before_.assign(1, 0);
  top_frame_ = 0;
  const uintptr_t thread = reinterpret_cast<uintptr_t>(thread_.data());
  if (facts_.managed_stack / kWord + core::kThreadWords > kThreadWords) return;
  memcpy(reinterpret_cast<void*>(thread + facts_.managed_stack), slice_.thread_words(),
         sizeof(walk::Fragment));
  uintptr_t address = thread + facts_.managed_stack;
  walk::Fragment fragment;
  while (links_.size() < kMaxFragments && walk::LoadFragment(layout, address, &fragment)) {
    if (links_.empty())
      top_frame_ = fragment.shadow_frame != 0
                       ? fragment.shadow_frame
                       : fragment.tagged_quick_frame & ~layout.quick_frame_tag_mask;
    has_all_links_ = fragment.link == 0;
    if (!slice_.Holds(fragment.link) || !slice_.Holds(fragment.link + sizeof(walk::Fragment) - 1) ||
        fragment.link % kWord != 0 || (!links_.empty() && fragment.link <= links_.back()))
      break;
    links_.push_back(fragment.link);
    address = fragment.link;
  }
  for (uint32_t i = 0; i <= links_.size() && CountFrames(i, managed); ++i) continue;
  managed_before_.resize(links_.size() + 2, kUnknown);
}

// Walks one fragment, with the next one emptied. Appends the number of managed frames up to its
// end; false if the frames differ from the sample's.
bool MixedStack::CountFrames(uint32_t index, const Managed& managed) {
  const auto thread = reinterpret_cast<uintptr_t>(thread_.data());
  auto* const own = reinterpret_cast<uintptr_t*>(thread + facts_.managed_stack);
  constexpr size_t kBytes = core::kThreadWords * kWord;
  if (index != 0) memcpy(own, reinterpret_cast<const void*>(links_[index - 1]), kBytes);
  uintptr_t next[core::kThreadWords] = {};
  void* const next_at = index < links_.size() ? reinterpret_cast<void*>(links_[index]) : next;
  memcpy(next, next_at, kBytes);
  memset(next_at, 0, kBytes);
  walk::RuntimeFacts facts = facts_;
  facts.warm = nullptr;
  facts.stack_low = slice_.low();
  facts.stack_high = slice_.high();
  const bool has_registers = index == 0 && managed.has_registers;
  // In the other fragments no frame runs.
  const uint8_t runnable = facts_.layout->state_runnable;
  const uint8_t state =
      index == 0 ? managed.thread_state : static_cast<uint8_t>(runnable == 0 ? 1 : 0);
  reinterpret_cast<uint8_t*>(thread)[facts_.layout->thread_state] = state;
  ucontext_t context = {};
  arch::StoreUnwindRegisters(slice_.registers(), &context);
  const arch::Registers registers = arch::RegistersOf(context);
  core::FrameSink sink(found_.data(), 0, UINT64_MAX, static_cast<uint32_t>(found_.size()));
  walk::WalkManagedStack(&facts, thread, has_registers ? &registers : nullptr, &sink);
  memcpy(next_at, next, kBytes);
  uint32_t depth = sink.depth();
  // It has no link, or its link was not copied.
  if (depth != 0 && (IsMark(found_[depth - 1], Truncation::kNoFrames) ||
                     IsMark(found_[depth - 1], Truncation::kBadFragment)))
    --depth;
  const uint32_t before = managed_before_.back();
  if (before + depth > managed.frames.size() ||
      !std::ranges::equal(std::span(found_).first(depth), managed.frames.subspan(before, depth),
                          IsSame))
    return false;
  managed_before_.push_back(before + depth);
  return true;
}

void MixedStack::FindNativeFrames(uint32_t managed_frames) {
  reached_ = slice_.low();
  is_below_top_ = false;
  if (slice_.registers().pc() != 0)
    Run(slice_.registers(), false);
  else
    Push(0, 0, false);
  is_below_top_ = true;
  for (;;) {
    const auto link = std::upper_bound(links_.begin(), links_.end(), reached_);
    if (link == links_.end()) break;
    UnwindRegisters registers;
    if (FindCallOfStub(*link, &registers))
      Run(registers, true);
    else
      Push(0, static_cast<uint32_t>(link - links_.begin()) + 1, false);
    reached_ = std::max(reached_, *link);
  }
  if (!has_all_links_) Push(0, static_cast<uint32_t>(links_.size()) + 1, false);
  for (MixedFrame& frame : mixed_)
    if (frame.managed == kUnknown) frame.managed = managed_frames;
}

// Adds frames from `registers` outwards, up to managed code or the end. Adds a mark if frames are
// missing.
void MixedStack::Run(UnwindRegisters registers, bool is_call) {
  steps_.Begin(registers, is_call);
  for (bool is_first = true;; is_first = false) {
    const uintptr_t pc = registers.pc() - (is_call ? 1 : 0);
    const uintptr_t sp = registers.sp();
    if (slice_.Holds(sp)) reached_ = std::max(reached_, sp);
    // The signal return code is outside all libraries if the vDSO does not provide it.
    const bool is_placed = facts_.modules->Holds(pc);
    const bool is_signal_return = !is_call && arch::IsSignalReturn(pc);
    if ((!is_placed && !is_signal_return) || IsBridgeToManaged(pc)) return;
    if (!changes_->IsUnchanged(pc)) return Push(0, GapOf(sp + 1), false);
    // Leaf functions and interrupted ones may have an empty frame.
    const uintptr_t least = is_first || (!is_call && !is_signal_return) ? sp : sp + kWord;
    bool is_return = true;
    const bool goes_on = steps_.Step(*facts_.modules, is_call, &registers, &is_return) &&
                         registers.sp() >= least && registers.sp() <= slice_.high() &&
                         mixed_.size() < kMaxFrames;
    const uintptr_t end = goes_on ? registers.sp() : sp + 1;
    const uint32_t gap = GapOf(end);
    is_below_top_ = is_below_top_ || (pc >= facts_.mterp_begin && pc < facts_.mterp_end) ||
                    (top_frame_ >= sp && top_frame_ < end);
    if (is_placed) Push(pc, gap, gap != 0 || is_below_top_);
    if (!goes_on) {
      if (!IsOutermost(*facts_.modules, pc)) Push(0, gap, false);
      return;
    }
    is_call = is_return;
  }
}

// nterp's frames are managed, and so is the frame of the native methods' stub.
bool MixedStack::IsBridgeToManaged(uintptr_t pc) const {
  return walk::IsInNterp(facts_, pc) ||
         (pc >= facts_.generic_jni_begin && pc < facts_.generic_jni_end);
}

void MixedStack::Push(uintptr_t pc, uint32_t gap, bool is_passage) {
  const uint32_t managed = gap < managed_before_.size() ? managed_before_[gap] : kUnknown;
  const bool is_marked =
      !mixed_.empty() && mixed_.back().pc == 0 && mixed_.back().managed == managed;
  // A frame without a position becomes a mark; adjacent marks are merged.
  if (managed == kUnknown) pc = 0;
  if (pc != 0 || !is_marked) mixed_.push_back({pc, managed, is_passage});
}

// Links below `end` belong to inner fragments.
uint32_t MixedStack::GapOf(uintptr_t end) const {
  return static_cast<uint32_t>(std::lower_bound(links_.begin(), links_.end(), end) -
                               links_.begin());
}

bool MixedStack::FindCallOfStub(uintptr_t link, UnwindRegisters* registers) const {
  constexpr uintptr_t kMostBytes = 4096;  // of the frame that contains the link
  const uintptr_t lowest = std::max(reached_, link - std::min(kMostBytes, link - slice_.low()));
  for (uintptr_t at = link - kWord; at > lowest; at -= kWord)
    if (IsCallOfStub(at, registers) && IsBelowLink(*registers, link)) return true;
  return false;
}

// The stub's caller must have the link in its frame. Otherwise the call is a leftover of functions
// that have returned.
bool MixedStack::IsBelowLink(UnwindRegisters registers, uintptr_t link) const {
  bool is_return = true;
  if (!StepOver(*facts_.modules, true, &registers, &is_return) || registers.sp() > link)
    return false;
  return StepOver(*facts_.modules, true, &registers, &is_return) && registers.sp() > link;
}

// Whether a return address at `at` follows a call in a function whose frame, right below, has the
// null that replaces the outermost method's caller.
bool MixedStack::IsCallOfStub(uintptr_t at, UnwindRegisters* registers) const {
  constexpr uintptr_t kMostBytes = 4096;  // of the stub's frame: arguments and saved registers
  uintptr_t word = 0;
  unwind::CodeModule module;
  unwind::FrameDescription stub = {};
  if (!LoadWord(at, &word) || !facts_.modules->IsInRow(word) || !facts_.modules->TryCode(word) ||
      !arch::FollowsCall(word))
    return false;
  const uintptr_t target = arch::DirectCallTarget(word);
  if (target == 0 || !facts_.modules->Find(target, &module) ||
      !unwind::FindFrameDescription(module, target, &stub) || stub.code_begin != target ||
      stub.return_register >= arch::kDwarfRegisters)
    return false;
  const uintptr_t lowest = at - std::min(kMostBytes, at - slice_.low());
  for (uintptr_t null = at - kWord; null > lowest; null -= kWord) {
    uintptr_t pc = 0;
    unwind::FrameRules rules;
    if (!LoadWord(null, &word) || word != 0 || !LoadWord(null - kWord, &pc) ||
        pc <= stub.code_begin || pc > stub.code_end || !arch::FollowsCall(pc) ||
        !unwind::RulesAt(stub, pc - 1, &rules) || rules.cfa_expression != 0 ||
        rules.kinds[stub.return_register] != unwind::RuleKind::kAtOffset)
      continue;
    const auto signed_offset = [](int32_t value) {
      return static_cast<uintptr_t>(static_cast<intptr_t>(value));
    };
    const uintptr_t cfa = at - signed_offset(rules.values[stub.return_register]);
    *registers = {};
    registers->values[rules.cfa_register] = cfa - signed_offset(rules.cfa_offset);
    if (rules.cfa_register == arch::kDwarfSp && registers->sp() != null) continue;
    registers->values[arch::kDwarfPc] = pc;
    registers->values[arch::kDwarfSp] = null;
    return true;
  }
  return false;
}

}  // namespace stillframe::native
