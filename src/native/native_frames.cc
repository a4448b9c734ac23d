// SPDX-License-Identifier: Apache-2.0
// A library's symbols are looked through when a place in it is met first.
#include "src/native/native_frames.h"

#include <cstring>

namespace stillframe::native {
namespace {

std::string Hex(uint64_t number) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (; number != 0 || text.empty(); number >>= 4)
    text.insert(text.begin(), kDigits[number & 15U]);
  return "0x" + text;
}

}  // namespace

NativePart NativeFrames::Read(int32_t tid, uintptr_t thread) const {
  return is_enabled_ ? native::ReadNativePart(facts_, tid, thread) : NativePart();
}

void NativeFrames::Resolve(const NativePart& part, std::vector<trace::FrameId>* stack) {
  std::vector<uintptr_t> unknown;
  for (const uintptr_t pc : part.pcs)
    if (Find(pc) == nullptr) unknown.push_back(pc);
  if (known_.size() + unknown.size() > kMaxKnown) {
    known_.clear();
    unknown = part.pcs;
  }
  if (!unknown.empty()) Learn(unknown);
  for (const uintptr_t pc : part.pcs) {
    const Known* const known = Find(pc);
    // Of one in a library that has gone meanwhile nothing is told.
    if (known != nullptr) stack->push_back(known->frame);
  }
  if (part.is_truncated)
    stack->push_back(frame_table_.InternFrame("", "[native frames missing]", "", "",
                                              trace::kLineUnknown, trace::FrameKind::kNative));
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

// Symbols of one library are looked through once for all of them.
void NativeFrames::Learn(const std::vector<uintptr_t>& pcs) {
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
  for (size_t i = first; i < known_.size(); ++i) known_[i].frame = FrameOf(places[i - first]);
}

trace::FrameId NativeFrames::FrameOf(const model::NativeFrame& place) {
  const std::string address = Hex(place.address);
  std::string library;
  std::string identity = "+" + address;
  if (place.module != 0) {
    const model::Module& module = libraries_.libraries()[place.module - 1];
    library = module.path.substr(module.path.find_last_of("/!") + 1);
    identity.insert(0, module.build_id);
  }
  return frame_table_.InternFrame(library, place.symbol.empty() ? address : place.symbol, identity,
                                  "", trace::kLineUnknown, trace::FrameKind::kNative);
}

}  // namespace stillframe::native
