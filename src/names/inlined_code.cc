// SPDX-License-Identifier: Apache-2.0
#include "src/names/inlined_code.h"

#include <algorithm>
#include <utility>

#include "arch/arch.h"

namespace stillframe::names {
namespace {

using arch::Flow;

constexpr size_t kMaxInstances = 1024;
constexpr uint32_t kMaxLoops = 1024;
// Before a slow path calls, it saves registers and moves arguments.
constexpr uint32_t kMaxSlowPathInstructions = 96;

// Limit of register moves between a check and the checked instruction.
constexpr uint32_t kMaxChecked = 8;

// int and long division by a register, array accesses, and accesses to object fields.
bool IsCheckedOpcode(uint8_t opcode) {
  switch (opcode) {
    case 0x93:
    case 0x94:
    case 0x9e:
    case 0x9f:
    case 0xb3:
    case 0xb4:
    case 0xbe:
    case 0xbf:
    case 0x21: return true;
    default: return opcode >= 0x44 && opcode <= 0x5f;
  }
}

}  // namespace

bool InlinedCode::Read(const walk::Layout& layout, const walk::CompiledCode& code, uintptr_t method,
                       MachineCode copy) {
  code_ = std::move(copy);
  begin_ = code.begin;
  frame_bytes_ = code.frame_bytes;
  is_marked_ = false;
  instances_.assign(1, {0, 0, core::kNoDexPc, method, 0, walk::kSameDexFile});
  places_.clear();
  const auto add = [](void* self, const walk::Safepoint& safepoint) {
    static_cast<InlinedCode*>(self)->AddPlace(safepoint);
  };
  return walk::VisitSafepoints(layout, code, method, add, this) &&
         instances_.size() <= kMaxInstances;
}

InstanceId InlinedCode::Intern(const InlinedInstance& instance) {
  for (InstanceId id = instance.around + 1; id < instances_.size(); ++id) {
    const InlinedInstance& known = instances_[id];
    if (known.around == instance.around && known.call_dex_pc == instance.call_dex_pc &&
        known.method == instance.method && known.method_index == instance.method_index &&
        known.dex_file == instance.dex_file)
      return id;
  }
  if (instances_.size() <= kMaxInstances) instances_.push_back(instance);
  return static_cast<InstanceId>(instances_.size() - 1);
}

void InlinedCode::AddPlace(const walk::Safepoint& safepoint) {
  InstanceId instance = 0;
  for (uint32_t i = safepoint.count - 1; i > 0; --i) {
    const walk::CompiledFrame& inlined = safepoint.frames[i - 1];
    instance = Intern({instance, instances_[instance].depth + 1, safepoint.frames[i].dex_pc,
                       inlined.method, inlined.method_index, inlined.dex_file});
  }
  places_.push_back(
      {safepoint.offset, instance, safepoint.frames[0].dex_pc, safepoint.is_place, false});
}

bool InlinedCode::FindMarks(OpcodeAt opcode_at, void* context) {
  std::vector<uint32_t> entered;
  for (const Place& place : places_)
    if (place.is_entered) entered.push_back(place.offset);
  if (!code_.Decode(entered)) return false;
  marks_.assign(code_.instructions().size(), kUnmarked);
  MarkPlaces();
  MarkSlowPaths();
  MarkChecked(opcode_at, context);
  MarkFrame(begin_, frame_bytes_);
  certain_.resize(marks_.size());
  for (uint32_t i = 0; i < marks_.size(); ++i) certain_[i] = InstanceOf(i);
  DoubtHoisted();
  LinkSources();
  is_marked_ = true;
  return true;
}

// A place belongs to the instruction that ends there.
void InlinedCode::MarkPlaces() {
  for (uint32_t i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    if (place.is_entered || place.offset == 0) continue;
    const uint32_t index = code_.Holding(place.offset - 1);
    if (index == kNoInstruction) continue;
    const MachineInstruction& instruction = code_.instructions()[index];
    const bool can_have_place = instruction.flow == Flow::kNext ||
                                instruction.flow == Flow::kCall ||
                                instruction.flow == Flow::kRuntimeCall;
    if (instruction.end() != place.offset || !can_have_place) continue;
    marks_[index] = i;
    place.is_call = instruction.flow == Flow::kCall;
  }
}

void InlinedCode::MarkFrame(uintptr_t begin, uint32_t frame_bytes) {
  const auto instructions = code_.instructions();
  const auto mark = [this](uint32_t i) {
    if (!IsMarked(i)) marks_[i] = kFrame;
  };
  mark(0);
  arch::CallerPlace caller;
  for (uint32_t i = 0;
       i < instructions.size() && frame_bytes != 0 && instructions[i].flow == Flow::kNext &&
       !arch::FindCallerInBody(begin, begin + instructions[i].offset, frame_bytes, &caller);
       ++i)
    mark(i);
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    if (instructions[i].flow != Flow::kReturn) continue;
    arch::CallerPlace place;
    for (uint32_t j = i + 1; j-- > 0 && (j == i || instructions[j].flow == Flow::kNext) &&
                             arch::FindCallerInEpilogue(begin + instructions[j].offset, &place);)
      mark(j);
    mark(i);
  }
}

// The place of the first call in the slow path at `entry`; kUnmarked: none.
uint32_t InlinedCode::SlowPathPlace(uint32_t entry) const {
  const auto instructions = code_.instructions();
  for (uint32_t i = entry; i < instructions.size() && i < entry + kMaxSlowPathInstructions; ++i) {
    const MachineInstruction& instruction = instructions[i];
    const bool is_call = instruction.flow == Flow::kCall || instruction.flow == Flow::kRuntimeCall;
    if (is_call && IsMarked(i)) return marks_[i];
    if (!instruction.FallsThrough() || i + 1 == instructions.size() ||
        instructions[i + 1].offset != instruction.end())
      return kUnmarked;
  }
  return kUnmarked;
}

// Slow paths are after the last return and are entered by a forward branch. The instruction before
// one does not fall through, or is a call that does not return.
void InlinedCode::MarkSlowPaths() {
  const auto instructions = code_.instructions();
  first_slow_ = 1;
  for (uint32_t i = 0; i < instructions.size(); ++i)
    if (instructions[i].flow == Flow::kReturn) first_slow_ = i + 1;
  const std::vector<uint32_t> of_calls = marks_;
  std::vector<uint32_t> place_at(instructions.size(), kUnmarked);  // by entry of a slow path
  std::vector<bool> is_entry(instructions.size());
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    const uint32_t entry = instructions[i].target;
    if (entry == kNoInstruction || entry < first_slow_ || entry <= i) continue;
    const Flow before = instructions[entry - 1].flow;
    if (before == Flow::kNext || before == Flow::kBranch) continue;
    is_entry[entry] = true;
    place_at[entry] = SlowPathPlace(entry);
    if (!IsMarked(i)) marks_[i] = place_at[entry];
  }
  uint32_t place = kUnmarked;
  for (uint32_t i = first_slow_; i < instructions.size(); ++i) {
    if (is_entry[i]) place = place_at[i];
    if (!IsMarked(i)) marks_[i] = place;
    if (!instructions[i].FallsThrough()) place = kUnmarked;
  }
  // A loop repeats by a branch back, or by a jump into the slow path of its check.
  for (uint32_t i = 0; i + 1 < instructions.size(); ++i)
    if (instructions[i].flow == Flow::kBranch && instructions[i].target <= i && !IsMarked(i) &&
        instructions[i + 1].flow == Flow::kJump && IsMarked(i + 1))
      marks_[i] = marks_[i + 1];
}

// A check consists of a comparison and a branch into a slow path. The checked instruction follows,
// if the bytecode there is an access or a division. (A division by -1 has a slow path of its own,
// without a call.)
void InlinedCode::MarkChecked(OpcodeAt opcode_at, void* context) {
  const auto instructions = code_.instructions();
  for (uint32_t i = 1; i < first_slow_ && i < instructions.size(); ++i) {
    if (instructions[i].flow != Flow::kBranch || !IsMarked(i)) continue;
    const uint32_t mark = marks_[i];
    if (!IsMarked(i - 1) && instructions[i - 1].flow == Flow::kNext) marks_[i - 1] = mark;
    const Place& place = places_[mark];
    if (!IsCheckedOpcode(opcode_at(context, instances_[place.instance], place.dex_pc))) continue;
    uint32_t end = i + 1;
    const auto goes_on = [&](uint32_t j) {
      return j < instructions.size() && j <= i + kMaxChecked && !IsMarked(j) &&
             (instructions[j].flow == Flow::kNext ||
              (instructions[j].flow == Flow::kBranch && instructions[j].target >= first_slow_));
    };
    while (goes_on(end) && !instructions[end].is_checked) ++end;
    if (!goes_on(end)) continue;
    for (uint32_t j = i + 1; j <= end; ++j) marks_[j] = mark;
  }
}

InstanceId InlinedCode::InstanceOf(uint32_t instruction) const {
  const uint32_t mark = marks_[instruction];
  return mark == kUnmarked || mark == kFrame ? 0 : places_[mark].instance;
}

bool InlinedCode::IsIn(InstanceId inner, InstanceId outer) const {
  while (instances_[inner].depth > instances_[outer].depth) inner = instances_[inner].around;
  return inner == outer;
}

InstanceId InlinedCode::CommonOf(InstanceId a, InstanceId b) const {
  while (a != b) {
    if (instances_[a].depth < instances_[b].depth) std::swap(a, b);
    a = instances_[a].around;
  }
  return a;
}

// A method called in a loop has code outside the loop only if that was hoisted, or peeled off as
// the first iteration. Such a mark only proves that the instruction is in the method that contains
// the loop.
void InlinedCode::DoubtHoisted() {
  const auto instructions = code_.instructions();
  uint32_t loops = 0;
  for (uint32_t last = 0; last < instructions.size(); ++last) {
    const uint32_t first = instructions[last].target;
    if (first == kNoInstruction || first > last || !IsMarked(last) || marks_[last] == kFrame)
      continue;
    if (++loops > kMaxLoops) return;
    const InstanceId owner = InstanceOf(last);
    std::vector<bool> is_inside(instances_.size());
    const auto called_by_owner = [&](InstanceId id) {
      while (instances_[id].depth > instances_[owner].depth + 1) id = instances_[id].around;
      return instances_[id].depth == instances_[owner].depth + 1 && instances_[id].around == owner
                 ? id
                 : 0;
    };
    for (uint32_t i = first; i <= last; ++i)
      if (IsMarked(i)) is_inside[called_by_owner(InstanceOf(i))] = true;
    for (uint32_t i = 0; i < first_slow_ && i < instructions.size(); ++i) {
      if (!IsMarked(i) || (i >= first && i <= last)) continue;
      const InstanceId called = called_by_owner(InstanceOf(i));
      if (called != 0 && is_inside[called]) certain_[i] = CommonOf(certain_[i], owner);
    }
  }
}

template <typename Visit>
void InlinedCode::ForEachTarget(uint32_t instruction, const Visit& visit) const {
  const auto instructions = code_.instructions();
  const MachineInstruction& from = instructions[instruction];
  if (from.target != kNoInstruction) visit(from.target);
  const auto switches = code_.switches();
  for (auto row = std::ranges::lower_bound(switches, instruction, {}, &MachineCode::Switch::from);
       row != switches.end() && row->from == instruction; ++row)
    visit(row->target);
  if (from.FallsThrough() && instruction + 1 < instructions.size() &&
      instructions[instruction + 1].offset == from.end())
    visit(instruction + 1);
}

template <typename Visit>
void InlinedCode::ForEachSource(uint32_t instruction, const Visit& visit) const {
  for (uint32_t i = first_source_[instruction]; i < first_source_[instruction + 1]; ++i)
    visit(sources_[i]);
}

void InlinedCode::LinkSources() {
  const auto count = static_cast<uint32_t>(code_.instructions().size());
  first_source_.assign(count + 2, 0);
  for (uint32_t i = 0; i < count; ++i)
    ForEachTarget(i, [&](uint32_t target) { ++first_source_[target + 2]; });
  for (uint32_t i = 2; i < count + 2; ++i) first_source_[i] += first_source_[i - 1];
  sources_.resize(first_source_.back());
  for (uint32_t i = 0; i < count; ++i)
    ForEachTarget(i, [&](uint32_t target) { sources_[first_source_[target + 1]++] = i; });
}

InlinedCode::Instructions InlinedCode::Search(uint32_t from, bool forward, bool backward) const {
  Instructions met;
  std::vector<bool> is_seen(marks_.size());
  std::vector<uint32_t> open = {from};
  is_seen[from] = true;
  const auto visit = [&](uint32_t next) {
    if (is_seen[next]) return;
    is_seen[next] = true;
    (IsMarked(next) ? met : open).push_back(next);
  };
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    if (forward) ForEachTarget(at, visit);
    if (backward) ForEachSource(at, visit);
  }
  std::ranges::sort(met);
  return met;
}

// The innermost instance with a mark on both sides.
InstanceId InlinedCode::InnermostBetween(const Instructions& before,
                                         const Instructions& behind) const {
  std::vector<bool> is_before(instances_.size());
  for (const uint32_t i : before)
    for (InstanceId id = certain_[i]; id != 0 && !is_before[id]; id = instances_[id].around)
      is_before[id] = true;
  InstanceId innermost = 0;
  for (const uint32_t i : behind) {
    InstanceId id = certain_[i];
    while (id != 0 && !is_before[id]) id = instances_[id].around;
    if (instances_[id].depth > instances_[innermost].depth) innermost = id;
  }
  return innermost;
}

// Position in `instance` of a mark in it or in a method inlined into it.
uint32_t InlinedCode::DexPcIn(InstanceId instance, uint32_t instruction) const {
  const uint32_t mark = marks_[instruction];
  if (mark == kFrame || mark == kUnmarked || !IsIn(places_[mark].instance, instance))
    return core::kNoDexPc;
  uint32_t dex_pc = places_[mark].dex_pc;
  for (InstanceId id = places_[mark].instance; id != instance; id = instances_[id].around)
    dex_pc = instances_[id].call_dex_pc;
  return dex_pc;
}

InlinedPlace InlinedCode::At(uint32_t offset) const {
  InlinedPlace place;
  const uint32_t at = code_.Holding(offset);
  if (at == kNoInstruction) {
    place.may_be_deeper = has_inlined();
    return place;
  }
  if (IsMarked(at) && marks_[at] != kFrame) {
    place.instance = InstanceOf(at);
    place.dex_pc = DexPcIn(place.instance, at);
    return place;
  }
  const Instructions before = Search(at, false, true);
  const Instructions behind = Search(at, true, false);
  if (marks_[at] != kFrame) {
    place.instance = InnermostBetween(before, behind);
    for (const uint32_t i : Search(at, true, true)) {
      const InstanceId other = InstanceOf(i);
      place.may_be_deeper |= other != place.instance && IsIn(other, place.instance);
    }
  }
  // The nearest mark before it, else the nearest one after it.
  for (const uint32_t i : before)
    if (const uint32_t dex_pc = DexPcIn(place.instance, i);
        dex_pc != core::kNoDexPc && (i < at || place.dex_pc == core::kNoDexPc))
      place.dex_pc = dex_pc;
  if (place.dex_pc == core::kNoDexPc)
    for (const uint32_t i : behind)
      if (place.dex_pc == core::kNoDexPc) place.dex_pc = DexPcIn(place.instance, i);
  return place;
}

bool InlinedCode::IsHiddenCall(InstanceId instance, uint32_t dex_pc) const {
  const bool is_known = std::ranges::any_of(instances_,
                                            [&](const InlinedInstance& other) {
                                              return &other != instances_.data() &&
                                                     other.around == instance &&
                                                     other.call_dex_pc == dex_pc;
                                            }) ||
                        std::ranges::any_of(places_, [&](const Place& place) {
                          return place.instance == instance && place.dex_pc == dex_pc &&
                                 (place.is_call || !is_marked_);
                        });
  return !is_known;
}

uint32_t InlinedCode::Methods(InstanceId instance, uint32_t dex_pc,
                              walk::CompiledFrame* frames) const {
  uint32_t count = 0;
  for (InstanceId id = instance;; id = instances_[id].around) {
    const InlinedInstance& its = instances_[id];
    frames[count++] = {its.method, its.method_index, dex_pc, false, its.dex_file};
    dex_pc = instances_[id].call_dex_pc;
    if (id == 0) return count;
  }
}

}  // namespace stillframe::names
