#include "src/art/fragment.h"

namespace stillframe::art {
namespace {

// A push or a pop takes fewer instructions.
constexpr uint32_t kMostAhead = 8;

// Least that a shadow frame takes, in bytes.
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

// A push clears the fragment before it stores the link, and a pop can restore the link before the
// shadow frame. Nothing else leaves a fragment like that when code of a library runs.
bool CanBeTorn(const RuntimeFacts& facts, const Fragment& fragment, uintptr_t pc) {
  return (fragment.link == 0 || (fragment.tagged_quick_frame == 0 && fragment.shadow_frame == 0)) &&
         (pc < facts.nterp_begin || pc >= facts.nterp_end);
}

// Adds what is about to be stored into the fragment. False when that is not known, or when the
// fragment it links is still being written.
bool AddWhatIsStored(const Layout& layout, uintptr_t address, const arch::Registers& registers,
                     Fragment* fragment) {
  const Fragment before = *fragment;
  const uintptr_t link = address + layout.link;
  const uintptr_t shadow_frame = address + layout.top_shadow_frame;
  arch::UnwindRegisters ahead;
  arch::FillUnwindRegisters(*registers.context, &ahead);
  arch::LostRegisters lost;
  arch::Store stores[kMostAhead];
  uint32_t count = 0;
  for (uint32_t i = 0; i < kMostAhead; ++i) {
    arch::Store& store = stores[count];
    const arch::Ahead what = arch::ReadAhead(&ahead, &lost, &store);
    if (what == arch::Ahead::kEnd) break;
    if (what == arch::Ahead::kOther) continue;
    ++count;
    if (before.link == 0 && store.Covers(link)) {
      if (!store.is_known) return false;
      fragment->link = store.ValueAt(link);
    } else if (before.link != 0 && store.Covers(shadow_frame)) {
      if (!store.is_known) return false;
      fragment->shadow_frame = store.ValueAt(shadow_frame);
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    const arch::Store& store = stores[i];
    if (store.Overlaps(fragment->link, fragment->link + sizeof(Fragment))) return false;
    // A new shadow frame that is not written yet: the method does not run yet.
    if (store.Overlaps(fragment->shadow_frame, fragment->shadow_frame + kShadowFrameBytes)) {
      fragment->shadow_frame = before.shadow_frame;
    }
  }
  return true;
}

}  // namespace

bool LoadFragment(const Layout& layout, uintptr_t address, Fragment* fragment) {
  return LoadPointer(address + layout.top_quick_frame, &fragment->tagged_quick_frame) &&
         LoadPointer(address + layout.link, &fragment->link) &&
         LoadPointer(address + layout.top_shadow_frame, &fragment->shadow_frame);
}

TopFragment SettleTopFragment(const RuntimeFacts& facts, uintptr_t address,
                              const arch::Registers& registers, Fragment* fragment) {
  if (registers.context != nullptr && CanBeTorn(facts, *fragment, registers.pc) &&
      !AddWhatIsStored(*facts.layout, address, registers, fragment)) {
    return TopFragment::kTorn;
  }
  return IsCopyOfNext(facts, *fragment) ? TopFragment::kCopied : TopFragment::kWhole;
}

}  // namespace stillframe::art
