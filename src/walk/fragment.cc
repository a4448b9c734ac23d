// SPDX-License-Identifier: Apache-2.0
#include "src/walk/fragment.h"

#include "src/core/prefetch.h"

namespace stillframe::walk {
namespace {

// Upper limit of the instructions of a push or pop.
constexpr uint32_t kMaxAhead = 8;

// Minimum size of a shadow frame, in bytes.
constexpr uintptr_t kShadowFrameBytes = 48;

bool IsCopyOfNext(const RuntimeFacts& facts, const Fragment& fragment) {
  const Layout& layout = *facts.layout;
  Fragment next;
  return fragment.link != 0 && LoadFragment(layout, fragment.link, &next) &&
         ((fragment.shadow_frame != 0 && fragment.shadow_frame % sizeof(uint32_t) == 0 &&
           fragment.shadow_frame == next.shadow_frame) ||
          (IsOnStack(facts, fragment.tagged_quick_frame & ~layout.quick_frame_tag_mask,
                     sizeof(uint64_t)) &&
           fragment.tagged_quick_frame == next.tagged_quick_frame));
}

// Only while a push or pop is in progress has a fragment both kinds of frames: a push may store the
// shadow frame first, a pop may restore it last, as in compilers' code for arm64.
bool IsMixed(const Fragment& fragment) {
  return fragment.tagged_quick_frame != 0 && fragment.shadow_frame != 0;
}

// Whether a push or pop may be in progress. A push clears the fragment before it stores the link; a
// pop may restore the link before the shadow frame. Otherwise no fragment looks like that in a
// library's code.
bool CanBeTorn(const RuntimeFacts& facts, const Fragment& fragment, uintptr_t pc) {
  return (fragment.link == 0 || IsMixed(fragment) ||
          (fragment.tagged_quick_frame == 0 && fragment.shadow_frame == 0)) &&
         !IsInNterp(facts, pc);
}

// A pushed fragment is below the one it links to.
bool IsPush(const Fragment& fragment, uintptr_t link) {
  return fragment.link == 0 || link < fragment.link;
}

// The stores ahead of the interrupted pc, up to the next branch.
class StoresAhead {
 public:
  explicit StoresAhead(const ucontext_t& context) {
    arch::FillUnwindRegisters(context, &registers_);
    for (uint32_t i = 0; i < kMaxAhead; ++i) {
      arch::Load load;
      switch (arch::ReadAhead(&registers_, &lost_, &stores_[count_], &load)) {
        case arch::Ahead::kEnd: return;
        case arch::Ahead::kOther: break;
        case arch::Ahead::kLoad: Follow(load); break;
        case arch::Ahead::kStore:
          stores_[count_].address = arch::Untagged(stores_[count_].address);
          ++count_;
          break;
      }
    }
  }

  const arch::Store* begin() const { return stores_; }
  const arch::Store* end() const { return stores_ + count_; }

 private:
  // A load that a store ahead overlaps is left unknown.
  void Follow(const arch::Load& load) {
    const uintptr_t address = arch::Untagged(load.address);
    for (const arch::Store& store : *this)
      if (store.Overlaps(address, address + sizeof(uintptr_t))) return;
    lost_.Set(load.reg, !LoadPointer(address, &registers_.values[load.reg]));
  }

  arch::UnwindRegisters registers_;
  arch::UnknownRegisters lost_;
  arch::Store stores_[kMaxAhead];
  uint32_t count_ = 0;
};

// Applies the stores ahead to the fragment. False if their values are unknown, or if the linked
// fragment is still being written.
bool AddStoredCaller(const Layout& layout, uintptr_t address, const arch::Registers& registers,
                     Fragment* fragment) {
  const Fragment before = *fragment;
  const uintptr_t link = arch::Untagged(address + layout.link);
  const uintptr_t shadow_frame = arch::Untagged(address + layout.top_shadow_frame);
  const uintptr_t quick_frame = arch::Untagged(address + layout.top_quick_frame);
  const StoresAhead stores(*registers.context);
  for (const arch::Store& store : stores) {
    if (IsMixed(before) && store.Covers(quick_frame)) {
      fragment->shadow_frame = 0;  // as before the push
      return true;
    }
    if (store.Covers(link)) {
      const uintptr_t stored = store.is_known ? arch::Untagged(store.ValueAt(link)) : 0;
      if (store.is_known && IsPush(before, stored))
        fragment->link = stored;
      else if (before.link == 0)
        return false;
    }
    if (before.link != 0 && store.Covers(shadow_frame)) {
      if (!store.is_known) return false;
      fragment->shadow_frame = arch::Untagged(store.ValueAt(shadow_frame));
    }
  }
  for (const arch::Store& store : stores) {
    if (store.Overlaps(fragment->link, fragment->link + sizeof(Fragment))) return false;
    // The new shadow frame is not written yet, so its method does not run yet.
    if (store.Overlaps(fragment->shadow_frame, fragment->shadow_frame + kShadowFrameBytes))
      fragment->shadow_frame = before.shadow_frame;
  }
  return true;
}

}  // namespace

SF_EACH_SAMPLE bool LoadFragment(const Layout& layout, uintptr_t address, Fragment* fragment) {
  return LoadStackPointer(address + layout.top_quick_frame, &fragment->tagged_quick_frame) &&
         LoadStackPointer(address + layout.link, &fragment->link) &&
         LoadStackPointer(address + layout.top_shadow_frame, &fragment->shadow_frame);
}

SF_EACH_SAMPLE TopFragment SettleTopFragment(const RuntimeFacts& facts, uintptr_t address,
                                             const arch::Registers& registers, Fragment* fragment) {
  if (registers.context != nullptr && CanBeTorn(facts, *fragment, registers.pc) &&
      (facts.modules == nullptr || facts.modules->TryCode(registers.pc)) &&
      !AddStoredCaller(*facts.layout, address, registers, fragment))
    return TopFragment::kTorn;
  return IsCopyOfNext(facts, *fragment) ? TopFragment::kCopied : TopFragment::kWhole;
}

}  // namespace stillframe::walk
