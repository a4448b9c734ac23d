// SPDX-License-Identifier: Apache-2.0
// The true stack while nterp runs any program.
#include <cstdio>
#include <cstring>

#include "tests/testbed/quick_code/chain_truth.h"

namespace testbed::quick_code {

void NterpTruth::Begin(const std::vector<OracleFrame>& below, uint64_t first) {
  first_ = first;
  live_count_ = 0;
  unknown_ = 0;
  expected_.clear();
  expected_.reserve(kMaxLive + below.size());
  expected_.assign(below.begin(), below.end());
}

// A method that has begun may be abandoned by the runtime's long jump to its caller.
bool NterpTruth::IsOver(const Live& live, const Step& step) {
  return HasReturned(step, live.entry_sp, live.return_address) ||
         (arch::kHasLinkRegister && step.registers.sp == live.entry_sp && live.method.has_begun());
}

void NterpTruth::Leave(const Step& step) {
  while (live_count_ > 0 && IsOver(live_[live_count_ - 1], step))
    if (live_[--live_count_].is_known)
      expected_.erase(expected_.begin());
    else
      --unknown_;
}

void NterpTruth::Enter(const Step& step) {
  const bool is_known = unknown_ == 0 && step.return_address >= step.place->begin &&
                        step.return_address < step.place->end;
  if (is_known)
    expected_.insert(expected_.begin(), {step.first_argument, 0});
  else
    ++unknown_;
  live_[live_count_++] = {NterpMethod(fixture_, step.first_argument, step), step.registers.sp,
                          step.return_address, is_known};
}

bool NterpTruth::Follow(const Step& step) {
  Leave(step);
  const bool is_nterp = step.place->kind == PlaceKind::kNterp;
  const bool is_entry = is_nterp && (step.registers.pc == step.place->begin || step.is_call_target);
  if (is_entry && live_count_ < kMaxLive && (live_count_ > 0 || step.first_argument == first_))
    Enter(step);
  if (live_count_ == 0 || unknown_ > 0) return false;
  if (is_nterp) {
    NterpMethod& innermost = live_[live_count_ - 1].method;
    innermost.Follow(step);
    expected_[0].dex_pc = innermost.dex_pc();
  }
  return true;
}

bool NterpTruth::StartsRight(const Walked& walked, uint32_t from, uint32_t to, bool is_edge) const {
  if (from == to) return true;
  if (!is_edge) return walked.Equals(from, to, expected_, 0);
  return walked.Equals(from, to, expected_, 1) ||
         (walked.frame[from].method == expected_[0].method &&
          walked.Equals(from + 1, to, expected_, 1));
}

// While the runtime delivers an exception it names the handler that it is about to enter; methods
// further in are given up then.
bool NterpTruth::IsAtHandler(const Walked& walked) const {
  constexpr uint16_t kMoveException = 0x0d;
  const auto given_up = static_cast<uint32_t>(expected_.size()) - walked.depth;
  if (walked.depth == 0 || given_up >= live_count_ ||
      walked.frame[0].method != expected_[given_up].method ||
      !walked.Equals(1, walked.depth, expected_, given_up + 1))
    return false;
  uint16_t instruction = 0;
  memcpy(&instruction,
         reinterpret_cast<const void*>(fixture_.InstructionsOf(walked.frame[0].method) +
                                       walked.frame[0].dex_pc * sizeof instruction),
         sizeof instruction);
  return (instruction & 0xff) == kMoveException;
}

Verdict NterpTruth::Judge(const Walked& walked, const Step& step) const {
  const auto size = static_cast<uint32_t>(expected_.size());
  const uint32_t before_truncation = walked.BeforeTruncation();
  const bool is_nterp = step.place->kind == PlaceKind::kNterp;
  const bool is_edge = live_[live_count_ - 1].method.is_edge();
  // Elsewhere natives may have begun, whose entry is not seen.
  uint32_t natives = 0;
  while (!is_nterp && natives < before_truncation && natives < kMaxNatives &&
         walked.frame[natives].dex_pc == core::kNoDexPc)
    ++natives;
  if (!StartsRight(walked, natives, before_truncation, is_edge)) {
    return !is_nterp && !walked.IsTruncated() && IsAtHandler(walked) ? Verdict::kRight
                                                                     : Verdict::kWrong;
  }
  if (walked.IsTruncated())
    return walked.EndsLike(expected_) ? Verdict::kTruncated : Verdict::kWrong;
  const uint32_t count = before_truncation - natives;
  return count == size || (is_edge && count + 1 == size) ? Verdict::kRight : Verdict::kWrong;
}

void NterpTruth::Describe(char* text, size_t bytes) const {
  snprintf(text, bytes, "%u methods deep, dex pc %u%s", live_count_, expected_[0].dex_pc,
           live_[live_count_ - 1].method.is_edge() ? " at an edge" : "");
}

}  // namespace testbed::quick_code
