// SPDX-License-Identifier: Apache-2.0
// Ours decides what is a frame; libunwind is asked and compared.
#include "src/native/native_steps.h"

#include <algorithm>

#include "src/native/native_step_over.h"

namespace stillframe::native {
namespace {

using arch::UnwindRegisters;
using Kind = LibunwindAccount::Kind;

// A frame's caller stands behind a call, but for what a signal has interrupted and what its
// handler returns to.
bool IsCaller(uintptr_t pc, bool is_interrupted) {
  return is_interrupted || arch::FollowsCall(pc) || arch::IsSignalReturn(pc) ||
         arch::IsInstrumentationExit(pc);
}

}  // namespace

const char* LibunwindAccount::Name(Kind kind) {
  switch (kind) {
    case Kind::kDifferent: return "different";
    case Kind::kNoCall: return "no_call";
    case Kind::kGuess: return "guess";
    case Kind::kCount: break;
  }
  return "unknown";
}

void LibunwindAccount::Add(const Place& place) {
  ++counts[static_cast<size_t>(place.kind)];
  const auto known = std::ranges::find_if(places, [&place](const Place& other) {
    return other.kind == place.kind && other.pc == place.pc;
  });
  if (known != places.end())
    ++known->times;
  else if (places.size() < kMaxPlaces)
    places.push_back({place.kind, place.pc, place.own, place.theirs, 1});
}

bool NativeSteps::Choose(StepsBy by, const unwind::CodeModules& modules) {
  by_ = StepsBy::kOwn;
  if (by != StepsBy::kOwn && !libunwind_.Open(modules)) return false;
  by_ = by;
  return true;
}

void NativeSteps::Begin(const UnwindRegisters& registers, bool is_call) {
  if (by_ != StepsBy::kOwn) libunwind_.Start(registers, is_call);
}

bool NativeSteps::Step(const unwind::CodeModules& modules, bool is_call, UnwindRegisters* registers,
                       bool* is_return) {
  if (by_ == StepsBy::kLibunwind && TakeTheirs(is_call, registers, is_return)) return true;
  const UnwindRegisters inner = *registers;
  const bool goes_on = StepOver(modules, is_call, registers, is_return);
  if (by_ == StepsBy::kBoth) Compare(inner, is_call, goes_on ? registers : nullptr);
  if (by_ == StepsBy::kLibunwind && goes_on) libunwind_.Start(*registers, *is_return);
  return goes_on;
}

bool NativeSteps::TakeTheirs(bool is_call, UnwindRegisters* registers, bool* is_return) {
  const uintptr_t at = registers->pc() - (is_call ? 1 : 0);
  const bool is_interrupted = !is_call && arch::IsSignalReturn(at);
  const Libunwind::Step step = libunwind_.Next();
  if (step == Libunwind::Step::kEnded) return false;
  const UnwindRegisters& theirs = libunwind_.registers();
  if (step == Libunwind::Step::kGuessed || !IsCaller(theirs.pc(), is_interrupted)) {
    account_.Add(
        {step == Libunwind::Step::kGuessed ? Kind::kGuess : Kind::kNoCall, at, 0, theirs.pc(), 0});
    return false;
  }
  ++account_.frames;
  *registers = theirs;
  *is_return = !is_interrupted && !arch::IsSignalReturn(theirs.pc());
  return true;
}

// `outer`: null where ours ends.
void NativeSteps::Compare(const UnwindRegisters& inner, bool is_call,
                          const UnwindRegisters* outer) {
  const uintptr_t at = inner.pc() - (is_call ? 1 : 0);
  const bool is_interrupted = !is_call && arch::IsSignalReturn(at);
  const Libunwind::Step step = libunwind_.Next();
  const bool has_theirs = step != Libunwind::Step::kEnded;
  const uintptr_t theirs = has_theirs ? libunwind_.registers().pc() : 0;
  const bool is_same =
      has_theirs == (outer != nullptr) &&
      (!has_theirs || (outer->pc() == theirs && outer->sp() == libunwind_.registers().sp()));
  if (step == Libunwind::Step::kDescribed && is_same) {
    ++account_.frames;
    return;
  }
  if (is_same && !has_theirs) return;
  Kind kind = Kind::kDifferent;
  if (!libunwind_.was_described())
    kind = Kind::kGuess;
  else if (has_theirs && !IsCaller(theirs, is_interrupted))
    kind = Kind::kNoCall;
  account_.Add({kind, at, outer != nullptr ? outer->pc() : 0, theirs, 0});
  // What is further out is compared on its own.
  if (outer != nullptr)
    libunwind_.Start(*outer, !is_interrupted && !arch::IsSignalReturn(outer->pc()));
}

}  // namespace stillframe::native
