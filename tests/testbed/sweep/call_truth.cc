// SPDX-License-Identifier: Apache-2.0
#include "tests/testbed/sweep/call_truth.h"

#include <cstdio>
#include <cstring>

#include "src/walk/code_elsewhere.h"
#include "src/walk/method_check.h"

namespace testbed::sweep {

namespace walk = stillframe::walk;
using core::RawFrame;
using core::RawFrameKind;
using quick_code::PlaceKind;
using quick_code::Step;
using quick_code::Verdict;
using quick_code::Walked;

namespace {

constexpr uint32_t kLongestInstruction = 15;

}  // namespace

void CallTruth::Begin(const std::vector<uint64_t>& below, uint32_t number) {
  below_ = below;
  number_ = number;
  activation_count_ = 0;
  place_ = PlaceKind::kElsewhere;
  handler_ = 0;
}

bool CallTruth::IsMethod(uint64_t method) const {
  return walk::WalkIsMethod(*layout_, static_cast<uintptr_t>(method));
}

bool CallTruth::IsNative(uint64_t method) const {
  uint32_t flags = 0;
  return arch::GuardedLoad32(method + layout_->method_access_flags, &flags) &&
         (flags & layout_->access_native) != 0;
}

bool CallTruth::IsEntryPoint(uint64_t method, uintptr_t pc) const {
  uintptr_t entry_point = 0;
  return IsMethod(method) &&
         walk::LoadPointer(method + layout_->method_entry_point, &entry_point) && entry_point == pc;
}

void CallTruth::LeaveOver(const Step& step) {
  while (activation_count_ > 0 &&
         quick_code::HasReturned(step, activations_[activation_count_ - 1].entry_sp,
                                 activations_[activation_count_ - 1].return_address))
    --activation_count_;
}

void CallTruth::Enter(const Step& step, Kind kind) {
  if (activation_count_ == kMaxActivations) return;
  if (kind == Kind::kCompiled) {
    ++counts_.entered;
    if (IsNative(step.first_argument)) kind = Kind::kNative;
  }
  activations_[activation_count_++] = {step.first_argument, step.registers.sp, step.registers.pc,
                                       kind, step.return_address};
}

// The instruction before was a call, or one that faulted for which the runtime makes up a call.
void CallTruth::FollowCall(const Step& step, PlaceKind previous) {
  last_call_sp_ = step.registers.sp;
  last_return_address_ = step.return_address;
  if (previous == PlaceKind::kCompiled && activation_count_ > 0) {
    activations_[activation_count_ - 1].pc = step.return_address;
    activations_[activation_count_ - 1].fault_bytes = 0;
  }
  switch (place_) {
    case PlaceKind::kCompiled:
      if (IsMethod(step.first_argument)) Enter(step, Kind::kCompiled);
      break;
    case PlaceKind::kNterp:
      // Methods that nterp runs itself it calls beside its entry point.
      if (IsMethod(step.first_argument)) Enter(step, Kind::kNterp);
      break;
    case PlaceKind::kElsewhere:
      if (IsEntryPoint(step.first_argument, step.registers.pc))
        Enter(step, IsNative(step.first_argument) ? Kind::kNative : Kind::kStub);
      break;
  }
}

// Follows an entry into managed code other than by a call: a stub of the runtime jumps to a method,
// or the runtime returns, delivers an exception or replaces a frame's code.
void CallTruth::FollowJump(const Step& step) {
  const bool is_compiled = place_ == PlaceKind::kCompiled;
  const Kind kind = is_compiled ? Kind::kCompiled : Kind::kNterp;
  const uintptr_t sp = step.registers.sp;
  Activation* top = activation_count_ > 0 ? &activations_[activation_count_ - 1] : nullptr;
  const bool is_resolved = top != nullptr && top->entry_sp == sp && top->kind == Kind::kStub &&
                           IsMethod(step.first_argument);
  if (is_resolved) --activation_count_;
  if (is_resolved || IsEntryPoint(step.first_argument, step.registers.pc)) {
    Enter(step, kind);
    return;
  }
  // Abandoned by the runtime's long jump to its caller, which delivers an exception.
  while (arch::kHasLinkRegister && top != nullptr && top->entry_sp == sp) {
    --activation_count_;
    top = activation_count_ > 0 ? &activations_[activation_count_ - 1] : nullptr;
  }
  if (top == nullptr || !is_compiled || top->kind == Kind::kNative) return;
  uintptr_t method = 0;
  if (!walk::LoadPointer(sp, &method) || !IsMethod(method)) return;
  if (top->kind == Kind::kCompiled) {
    if (method == top->method) return;  // continues with its own frame
    // The interpreter has had it since its code was left by deoptimization.
    top->kind = Kind::kStub;
  }
  ++counts_.replaced;
  if (top->kind == Kind::kNterp) {
    *top = {method, top->entry_sp, step.registers.pc, Kind::kCompiled, top->return_address};
  } else if (activation_count_ < kMaxActivations) {
    // The interpreter called a stub that copied the frame below its own return address.
    activations_[activation_count_++] = {method, last_call_sp_, step.registers.pc, Kind::kCompiled,
                                         last_return_address_};
  }
}

// Deoptimized code is left as if it had never begun: control reaches the interpreter's bridge with
// the stack pointer at the code's return address (ART 14 runtime/quick_exception_handler.cc,
// DeoptimizeSingleFrame). Code without a frame yet has the same stack pointer, but is not left.
void CallTruth::FollowDeoptimization(const Step& step) {
  Activation* top = activation_count_ > 0 ? &activations_[activation_count_ - 1] : nullptr;
  if (top != nullptr && top->kind == Kind::kCompiled && top->entry_sp == step.registers.sp)
    top->kind = Kind::kStub;
}

bool CallTruth::Follow(const Step& step) {
  const uint32_t count = activation_count_;
  const PlaceKind previous = place_;
  place_ = arch::IsRuntimeTrampoline(step.registers.pc) ? PlaceKind::kElsewhere : step.place->kind;
  LeaveOver(step);
  const bool is_managed = place_ != PlaceKind::kElsewhere;
  const bool is_left = previous == PlaceKind::kCompiled && !is_managed;
  if (is_left && !step.is_call_target && count == activation_count_ && count > 0)
    activations_[count - 1].fault_bytes = kLongestInstruction;
  if (step.is_call_target)
    FollowCall(step, previous);
  else if (is_managed && previous != place_)
    FollowJump(step);
  else if (!is_managed)
    FollowDeoptimization(step);
  if (is_managed) SettleHandler(step);
  if (activation_count_ == 0) return false;
  Activation& top = activations_[activation_count_ - 1];
  if (place_ == PlaceKind::kCompiled) {
    if (top.kind != Kind::kCompiled && top.kind != Kind::kNative) {
      ++counts_.lost;
      return false;
    }
    top.pc = step.registers.pc;
    top.fault_bytes = 0;
  }
  steps_elsewhere_ = is_managed ? 0 : steps_elsewhere_ + 1;
  const bool is_judged = steps_elsewhere_ < kStepsElsewhere || steps_elsewhere_ % kOneIn == 0;
  return is_judged && activation_count_ < kMaxActivations;
}

// While the runtime delivers an exception it names the handler that it is about to enter; methods
// further in are given up then. What was taken for such a handler is one when it is entered.
void CallTruth::SettleHandler(const Step& step) {
  if (place_ == PlaceKind::kCompiled && handler_ != 0 && handler_ != walk::RawPc(step.registers.pc))
    ++counts_.wrong_handlers;
  handler_ = 0;
}

bool CallTruth::IsAtHandler(const Walked& walked) const {
  if (place_ != PlaceKind::kElsewhere) return false;
  // Those that are given up may be there still: the handler's pc is stored where they return to.
  uint32_t first = 0;
  while (first < walked.depth && Equals(walked.frame[first], first)) ++first;
  if (first < walked.depth && IsHandlerOf(walked, first, first)) return true;
  for (uint32_t given_up = 0; walked.depth > 0 && given_up < activation_count_; ++given_up)
    if (IsHandlerOf(walked, 0, given_up)) return true;
  return false;
}

bool CallTruth::IsHandlerOf(const Walked& walked, uint32_t at, uint32_t expected) const {
  if (expected >= activation_count_) return false;
  const RawFrame& frame = walked.frame[at];
  const Activation& activation = activations_[activation_count_ - 1 - expected];
  if (frame.kind != RawFrameKind::kCompiled || (handler_ != 0 && handler_ != frame.dex_pc) ||
      activation.kind != Kind::kCompiled || activation.method != frame.method ||
      !Matches(walked, at + 1, walked.depth, expected + 1, true))
    return false;
  handler_ = frame.dex_pc;
  return true;
}

// True if a compiled frame is at the activation's pc.
bool CallTruth::IsAt(const RawFrame& frame, const Activation& activation) const {
  return frame.kind == RawFrameKind::kCompiled &&
         frame.dex_pc - walk::RawPc(activation.pc) <= activation.fault_bytes;
}

bool CallTruth::Equals(const RawFrame& frame, uint32_t expected) const {
  if (expected >= activation_count_)
    return expected < ExpectedCount() && frame.method == below_[expected - activation_count_];
  const Activation& activation = activations_[activation_count_ - 1 - expected];
  return frame.method == activation.method &&
         (activation.kind != Kind::kCompiled || IsAt(frame, activation));
}

// Methods without compiled code are not followed inside the runtime: the frame may not exist yet,
// or no longer.
bool CallTruth::IsOptional(uint32_t expected) const {
  if (expected >= activation_count_) return false;
  switch (activations_[activation_count_ - 1 - expected].kind) {
    case Kind::kCompiled: return false;
    case Kind::kStub: return true;
    case Kind::kNterp: return expected == 0 && place_ != PlaceKind::kCompiled;
    case Kind::kNative: return expected == 0;
  }
  return false;
}

// Interpreted methods, and natives that they call, have no entry that is seen.
bool CallTruth::IsUntracked(const RawFrame& frame, uint32_t expected) const {
  if (frame.kind != RawFrameKind::kInterpreted && frame.kind != RawFrameKind::kJni) return false;
  return expected >= activation_count_ ||
         activations_[activation_count_ - 1 - expected].kind != Kind::kCompiled;
}

// The walked frames from `from` on are the expected ones from `expected` on. Which of two frames
// that need not be there is missing shows further out.
bool CallTruth::Matches(const Walked& walked, uint32_t from, uint32_t to, uint32_t expected,
                        bool to_the_end) const {
  while (from < to && Equals(walked.frame[from], expected) && !IsOptional(expected)) {
    ++from;
    ++expected;
  }
  if (from == to && !to_the_end) return true;
  if (from == to && expected == ExpectedCount()) return true;
  if (from < to && Equals(walked.frame[from], expected) &&
      Matches(walked, from + 1, to, expected + 1, to_the_end))
    return true;
  if (IsOptional(expected) && Matches(walked, from, to, expected + 1, to_the_end)) return true;
  return from < to && IsUntracked(walked.frame[from], expected) &&
         Matches(walked, from + 1, to, expected, to_the_end);
}

Verdict CallTruth::Judge(const Walked& walked, const Step&) const {
  if (!walked.IsTruncated()) {
    const bool is_right = Matches(walked, 0, walked.depth, 0, true) || IsAtHandler(walked);
    return is_right ? Verdict::kRight : Verdict::kWrong;
  }
  if (!Matches(walked, 0, walked.BeforeTruncation(), 0, false)) return Verdict::kWrong;
  const uint32_t after = walked.AfterTruncation();
  if (after == walked.depth) return Verdict::kTruncated;
  for (uint32_t expected = 0; expected < ExpectedCount(); ++expected)
    if (Matches(walked, after, walked.depth, expected, true)) return Verdict::kTruncated;
  return Verdict::kWrong;
}

// Without names: the handler cannot ask for them.
void CallTruth::Describe(char* text, size_t bytes) const {
  const auto length = static_cast<size_t>(snprintf(text, bytes, "%u:", number_));
  size_t at = length;
  for (uint32_t i = 0; i < activation_count_ && i < 4 && at < bytes; ++i) {
    const Activation& activation = activations_[activation_count_ - 1 - i];
    at += static_cast<size_t>(snprintf(text + at, bytes - at, " %llx/%d@%zx",
                                       static_cast<unsigned long long>(activation.method),
                                       static_cast<int>(activation.kind), activation.pc));
  }
}

}  // namespace testbed::sweep
