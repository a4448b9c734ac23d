// SPDX-License-Identifier: Apache-2.0
#include "tests/testbed/quick_code/chain_truth.h"

#include <algorithm>
#include <cstdio>

namespace testbed::quick_code {
namespace {

using core::RawFrame;

bool IsEnd(Kind kind) {
  return kind == kProbe || kind == kThrower || kind == kLeaf || kind == kSpilling;
}

bool IsNterp(Kind kind) { return kind == kRoot || kind == kNterp; }

bool IsInterpreted(Kind kind) { return IsNterp(kind) || kind == kInterpreted; }

}  // namespace

void ChainTruth::AddLevel(Kind kind) {
  const bool has_inlined = kind == kAhead || kind == kJust;
  const bool is_native = kind == kProbe || kind == kThrower || kind == kThrough;
  const bool is_nterp = IsNterp(kind) && fixture_.HasNterp();
  const bool is_followed = is_nterp || !(is_native || IsInterpreted(kind));
  levels_[level_count_++] = {kind, 0, has_inlined ? 3U : 1U, is_followed};
}

void ChainTruth::Begin(const std::vector<OracleFrame>& learned, uint32_t chain) {
  chain_ = chain;
  level_count_ = 0;
  AddLevel(kRoot);
  do {
    AddLevel(static_cast<Kind>(chain & 15));
    chain >>= 4;
  } while (!IsEnd(levels_[level_count_ - 1].kind) && level_count_ < kMaxLevels);
  // While leaves taught their dex pc they called the probe.
  const Kind end = levels_[level_count_ - 1].kind;
  const bool has_probe_too = end == kLeaf || end == kSpilling;
  learned_.assign(learned.begin() + (has_probe_too ? 1 : 0), learned.end());
  uint32_t first = 0;
  for (uint32_t i = level_count_; i-- > 0;) {
    levels_[i].first = first;
    first += levels_[i].frames;
  }
  live_count_ = 0;
  next_level_ = 0;
  while (next_level_ < level_count_ && !levels_[next_level_].is_followed) ++next_level_;
}

void ChainTruth::Enter(const Step& step) {
  Live& live = live_[live_count_++];
  live = {next_level_, step.registers.sp, step.return_address, {}};
  if (step.place->kind == PlaceKind::kNterp)
    live.nterp = NterpMethod(fixture_, step.first_argument, step);
  do {
    ++next_level_;
  } while (next_level_ < level_count_ && !levels_[next_level_].is_followed);
}

// At the entry's stack pointer there are three cases. The method was only just entered, has
// returned, or was abandoned by the runtime's long jump, which delivers an exception further out.
bool ChainTruth::IsOver(const Live& live, const Step& step) const {
  return step.registers.sp > live.entry_sp ||
         (step.registers.sp == live.entry_sp &&
          (step.place->kind == PlaceKind::kElsewhere || step.registers.pc == live.return_address));
}

// Methods that have returned go, and one that is entered with this instruction comes.
bool ChainTruth::Follow(const Step& step) {
  while (live_count_ > 0 && IsOver(live_[live_count_ - 1], step))
    next_level_ = live_[--live_count_].level;
  // nterp calls methods that it runs itself beside its entry point.
  const bool is_entry = step.registers.pc == step.place->begin ||
                        (step.place->kind == PlaceKind::kNterp && step.is_call_target);
  if (is_entry && step.place->kind != PlaceKind::kElsewhere && next_level_ < level_count_ &&
      step.first_argument == fixture_.MethodOf(levels_[next_level_].kind))
    Enter(step);
  if (live_count_ > 0 && step.place->kind == PlaceKind::kNterp &&
      IsNterp(levels_[live_[live_count_ - 1].level].kind))
    live_[live_count_ - 1].nterp.Follow(step);
  return live_count_ > 0;
}

// Between two safepoints of a method either one's dex pc and inlined methods will do.
bool ChainTruth::IsCompiledInnermost(const RawFrame* frames, uint32_t depth,
                                     const Installed& installed, uintptr_t pc) const {
  const uint64_t method = fixture_.MethodOf(installed.kind);
  if (depth == 1 && frames[0].method == method &&
      (frames[0].dex_pc == 0 || frames[0].dex_pc == core::kNoDexPc))
    return true;
  const auto& safepoints = installed.method.description.safepoints;
  const uintptr_t offset = pc - installed.entry;
  const auto after = std::find_if(safepoints.begin(), safepoints.end(),
                                  [&](const Safepoint& s) { return s.native_pc > offset; });
  for (auto near = after == safepoints.begin() ? after : after - 1;
       near != safepoints.end() && near <= after; ++near) {
    const auto inlined = static_cast<uint32_t>(near->inlined.size());
    bool is_it = depth == inlined + 1 && frames[inlined].method == method &&
                 frames[inlined].dex_pc == near->dex_pc;
    for (uint32_t i = 0; is_it && i < inlined; ++i) {
      const InlinedMethod& want = near->inlined[inlined - 1 - i];
      is_it = frames[i].method == want.art_method && frames[i].dex_pc == want.dex_pc;
    }
    if (is_it) return true;
  }
  return false;
}

bool ChainTruth::IsNterpInnermost(const Walked& walked, uint32_t depth, const Live& live) const {
  const Level& level = levels_[live.level];
  const uint32_t outer = level.first + level.frames;
  if (live.nterp.is_edge() && walked.Equals(0, depth, learned_, outer)) return true;
  return walked.frame[0].method == fixture_.MethodOf(level.kind) &&
         (live.nterp.is_edge() || walked.frame[0].dex_pc == live.nterp.dex_pc()) &&
         walked.Equals(1, depth, learned_, outer);
}

// True when the first `depth` walked frames are the beginning of a stack whose innermost method is
// that of `level`.
bool ChainTruth::StartsRight(const Walked& walked, uint32_t depth, uint32_t level,
                             const Step& step) const {
  const Level& innermost = levels_[level];
  const uint32_t outer = innermost.first + innermost.frames;
  if (step.place->kind == PlaceKind::kCompiled) {
    for (uint32_t own = 1; own <= std::min(depth, 3U); ++own)
      if (IsCompiledInnermost(walked.frame, own, fixture_.installed()[step.place_number],
                              step.registers.pc) &&
          walked.Equals(own, depth, learned_, outer))
        return true;
    return false;
  }
  if (step.place->kind == PlaceKind::kNterp)
    return IsNterpInnermost(walked, depth, live_[live_count_ - 1]);
  const Live& live = live_[live_count_ - 1];
  if (IsNterp(innermost.kind) && level == live.level && live.nterp.is_edge() &&
      walked.Equals(0, depth, learned_, outer))
    return true;  // nterp asks the runtime for the method's code before it builds a frame
  if (!IsInterpreted(innermost.kind)) return walked.Equals(0, depth, learned_, innermost.first);
  return walked.frame[0].method == fixture_.MethodOf(innermost.kind) &&
         walked.Equals(1, depth, learned_, outer);
}

Verdict ChainTruth::Judge(const Walked& walked, const Step& step) const {
  const auto size = static_cast<uint32_t>(learned_.size());
  const uint32_t before_truncation = walked.BeforeTruncation();
  const uint32_t lowest = live_[live_count_ - 1].level;
  // Elsewhere natives and interpreted methods may have begun, whose entry is not seen.
  const uint32_t highest =
      step.place->kind == PlaceKind::kElsewhere ? std::max(next_level_, lowest + 1) - 1 : lowest;
  for (uint32_t level = lowest; level <= highest; ++level) {
    const uint32_t outer = size - levels_[level].first - levels_[level].frames;
    if (walked.IsTruncated()) {
      if ((before_truncation == 0 || StartsRight(walked, before_truncation, level, step)) &&
          walked.EndsLike(learned_))
        return Verdict::kTruncated;
    } else if (walked.depth >= outer && StartsRight(walked, walked.depth, level, step) &&
               walked.frame[walked.depth - 1].method == learned_.back().method) {
      return Verdict::kRight;
    }
  }
  return Verdict::kWrong;
}

// The innermost method is the one whose code was interrupted, its callers are at their calls.
bool ChainTruth::IsCompiledAnywhere(const Walked& walked, const Step& step) const {
  const Installed& installed = fixture_.installed()[step.place_number];
  const auto size = static_cast<uint32_t>(learned_.size());
  for (uint32_t i = 0; i < level_count_; ++i) {
    const uint32_t outer = levels_[i].first + levels_[i].frames;
    const uint32_t own = walked.depth - std::min(walked.depth, size - outer);
    if (levels_[i].kind == installed.kind && own >= 1 && own <= levels_[i].frames &&
        IsCompiledInnermost(walked.frame, own, installed, step.registers.pc) &&
        walked.Equals(own, walked.depth, learned_, outer))
      return true;
  }
  return false;
}

// All frames but natives, and one method that is interpreted, are at their calls.
bool ChainTruth::IsWholeAnywhere(const Walked& walked, const Step& step) const {
  constexpr uint32_t kMaxNatives = 3;
  if (step.place->kind == PlaceKind::kCompiled) return IsCompiledAnywhere(walked, step);
  const auto size = static_cast<uint32_t>(learned_.size());
  uint32_t matched = 0;
  while (matched < std::min(size, walked.depth) &&
         walked.Equals(walked.depth - matched - 1, walked.depth - matched, learned_,
                       size - matched - 1))
    ++matched;
  uint32_t natives = 0;
  const uint32_t rest = walked.depth - matched;
  while (natives < rest && walked.frame[natives].dex_pc == core::kNoDexPc) ++natives;
  if (natives > kMaxNatives || rest > natives + 1) return false;
  if (rest == natives) return matched > 0;
  // Compiled methods are only ever seen at calls from here.
  const RawFrame& frame = walked.frame[natives];
  return matched < size && frame.kind != core::RawFrameKind::kCompiled &&
         frame.method == learned_[size - matched - 1].method;
}

Verdict ChainTruth::JudgeAnywhere(const Walked& walked, const Step& step) const {
  if (!walked.IsTruncated())
    return IsWholeAnywhere(walked, step) ? Verdict::kRight : Verdict::kWrong;
  for (uint32_t i = 0; i < walked.BeforeTruncation(); ++i) {
    const RawFrame& frame = walked.frame[i];
    const bool is_known =
        frame.dex_pc == core::kNoDexPc ||
        std::any_of(learned_.begin(), learned_.end(),
                    [&frame](const OracleFrame& known) { return known.method == frame.method; });
    if (!is_known) return Verdict::kWrong;
  }
  return walked.EndsLike(learned_) ? Verdict::kTruncated : Verdict::kWrong;
}

void AnywhereTruth::Describe(char* text, size_t bytes) const { chain_.Describe(text, bytes); }

void ChainTruth::Describe(char* text, size_t bytes) const {
  const uint32_t level = live_count_ > 0 ? live_[live_count_ - 1].level + 1 : 0;
  snprintf(text, bytes, "chain %x in method %u of %u", chain_, level, level_count_);
}

}  // namespace testbed::quick_code
