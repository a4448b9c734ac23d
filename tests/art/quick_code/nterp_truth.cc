#include "tests/art/quick_code/nterp_truth.h"

#include <cstdio>
#include <cstring>

namespace testbed::quick_code {

void NterpTruth::Begin(const std::vector<OracleFrame>& below, uint64_t first) {
  first_ = first;
  live_count_ = 0;
  unknown_ = 0;
  is_edge_ = false;
  expected_.clear();
  expected_.reserve(kMaxLive + below.size());
  expected_.assign(below.begin(), below.end());
}

uint32_t NterpTruth::LiveDexPc(uint64_t method, const arch::Registers& registers) const {
  constexpr size_t kSizeBeforeInstructions = 4;
  const uintptr_t instructions = fixture_.InstructionsOf(method);
  uint32_t units = 0;
  memcpy(&units, reinterpret_cast<const void*>(instructions - kSizeBeforeInstructions),
         sizeof units);
  const uintptr_t live = (registers.mterp_pc - instructions) / 2;
  return live < units ? static_cast<uint32_t>(live) : core::kNoDexPc;
}

void NterpTruth::Leave(const Step& step) {
  while (live_count_ > 0 && step.registers.sp > live_[live_count_ - 1].entry_sp) {
    if (live_[--live_count_].is_known) {
      expected_.erase(expected_.begin());
    } else {
      --unknown_;
    }
  }
}

void NterpTruth::Enter(const Step& step) {
  uintptr_t return_address = 0;
  memcpy(&return_address, reinterpret_cast<const void*>(step.registers.sp), sizeof return_address);
  const bool is_known =
      unknown_ == 0 && return_address >= step.place->begin && return_address < step.place->end;
  if (is_known) {
    expected_.insert(expected_.begin(), {step.first_argument, 0});
  } else {
    ++unknown_;
  }
  live_[live_count_++] = {step.first_argument, step.registers.sp, step.registers.mterp_pc, false,
                          is_known};
}

bool NterpTruth::Follow(const Step& step) {
  Leave(step);
  const bool is_nterp = step.place->kind == PlaceKind::kNterp;
  const bool is_entry = is_nterp && (step.registers.pc == step.place->begin || step.is_call_target);
  if (is_entry && live_count_ < kMaxLive && (live_count_ > 0 || step.first_argument == first_)) {
    Enter(step);
  }
  if (live_count_ == 0 || unknown_ > 0) return false;
  if (is_nterp) {
    Live& innermost = live_[live_count_ - 1];
    const uint32_t dex_pc = LiveDexPc(innermost.method, step.registers);
    const bool is_callers = step.registers.mterp_pc == innermost.entry_dex_pointer;
    innermost.has_begun = innermost.has_begun || (!is_callers && dex_pc != core::kNoDexPc);
    is_edge_ = !innermost.has_begun || is_callers || dex_pc == core::kNoDexPc;
    if (innermost.has_begun && dex_pc != core::kNoDexPc) expected_[0].dex_pc = dex_pc;
  }
  return true;
}

Verdict NterpTruth::Judge(const Walked& walked, const Step& step) const {
  const auto size = static_cast<uint32_t>(expected_.size());
  const uint32_t before_cut = walked.BeforeCut();
  if (walked.IsCut() && !walked.EndsLike(expected_)) return Verdict::kWrong;
  const bool is_nterp = step.place->kind == PlaceKind::kNterp;
  // Elsewhere natives may have begun, whose entry is not seen.
  uint32_t natives = 0;
  while (!is_nterp && natives < before_cut && natives < kMostNatives &&
         walked.frame[natives].dex_pc == core::kNoDexPc) {
    ++natives;
  }
  const uint32_t count = before_cut - natives;
  const bool starts_right =
      count == 0 ||
      (walked.frame[natives].method == expected_[0].method &&
       ((is_nterp && is_edge_) || walked.frame[natives].dex_pc == expected_[0].dex_pc) &&
       walked.Equals(natives + 1, before_cut, expected_, 1));
  if (walked.IsCut()) return starts_right ? Verdict::kCut : Verdict::kWrong;
  return starts_right && count == size ? Verdict::kRight : Verdict::kWrong;
}

void NterpTruth::Describe(char* text, size_t bytes) const {
  snprintf(text, bytes, "%u methods deep, dex pc %u%s", live_count_, expected_[0].dex_pc,
           is_edge_ ? " at an edge" : "");
}

}  // namespace testbed::quick_code
