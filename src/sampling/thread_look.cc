// SPDX-License-Identifier: Apache-2.0
#include "src/sampling/thread_look.h"

#include <atomic>

#include "src/os/proc.h"
#include "src/walk/walk.h"

namespace stillframe::sampling {

bool ThreadLook::OwnFacts(const StackThread& thread, walk::RuntimeFacts* facts) const {
  *facts = *setup_.runtime;
  if (thread.tid != setup_.main_tid) facts->warm = nullptr;
  if (thread.address == 0) {
    facts->stack_low = thread.stack_low;
    facts->stack_high = thread.stack_high;
    return thread.stack_high != 0;
  }
  return thread.tid == setup_.main_tid ||
         setup_.threads->LoadStack(thread, &facts->stack_low, &facts->stack_high);
}

ThreadLook::Found ThreadLook::FromOutside(const art::RuntimeThread& thread,
                                          const native::NativeFrames& native,
                                          std::vector<core::RawFrame>* walked,
                                          core::StackRequests::Stack* stack,
                                          std::string* kernel_call) const {
  uint64_t cpu_ns = 0;
  return FromOutside(
      thread, walked,
      [&](const walk::RuntimeFacts&, model::ThreadState state) {
        *kernel_call =
            state == model::ThreadState::kNative ? native.KernelCallOf(thread.tid) : std::string();
      },
      stack, &cpu_ns);
}

ThreadLook::Found ThreadLook::FromOutside(const StackThread& thread, native::NativeFrames* native,
                                          std::vector<core::RawFrame>* walked, Mixed* mixed) const {
  if (thread.address == 0) return LookAtUnknown(thread, native, mixed);
  uint64_t cpu_ns = 0;
  bool has_native = false;
  uintptr_t stack_low = 0;
  uintptr_t stack_high = 0;
  Found found = FromOutside(
      thread, walked,
      [&](const walk::RuntimeFacts& facts, model::ThreadState state) {
        stack_low = facts.stack_low;
        stack_high = facts.stack_high;
        has_native = native->CopyBlocked(thread.tid, thread.address, facts);
        mixed->kernel_call =
            state == model::ThreadState::kNative ? native->KernelCallOf(thread.tid) : std::string();
      },
      &mixed->stack, &cpu_ns);
  // Only ready to run, it has no registers to begin with.
  if (found == Found::kStack && has_native && native->is_ready()) found = Found::kRuns;
  if (found == Found::kStack && has_native) {
    const core::StackRequests::Stack& stack = mixed->stack;
    mixed->native = native->OfBlocked({{stack.frames, stack.HasManagedCode() ? stack.depth : 0},
                                       stack.thread_state,
                                       false,
                                       stack_low,
                                       stack_high});
  }
  return found;
}

ThreadLook::Found ThreadLook::LookAtUnknown(const StackThread& thread, native::NativeFrames* native,
                                            Mixed* mixed) const {
  walk::RuntimeFacts facts;
  const uint64_t cpu_ns = ThreadCpuNs(thread.tid);
  if (cpu_ns == 0 || !OwnFacts(thread, &facts)) return Found::kEnded;
  const bool has_native = native->CopyBlocked(thread.tid, 0, facts);
  mixed->kernel_call = native->KernelCallOf(thread.tid);
  const char state = os::SchedulerState(thread.tid);
  // No load above may be reordered after the second reading of the clock.
  std::atomic_thread_fence(std::memory_order_acquire);
  if (state == 'R' || ThreadCpuNs(thread.tid) != cpu_ns) return Found::kRuns;
  if (has_native)
    mixed->native = native->OfBlocked({{}, 0, false, facts.stack_low, facts.stack_high});
  return Found::kStack;
}

ThreadLook::Found ThreadLook::Walk(
    const art::RuntimeThread& thread, std::vector<core::RawFrame>* walked,
    void (*read)(const void* reader, const walk::RuntimeFacts& facts, model::ThreadState state),
    const void* reader, core::StackRequests::Stack* stack, uint64_t* cpu_ns) const {
  constexpr int kTries = 3;  // for a thread that moves now and then
  for (int i = 0; i < kTries; ++i) {
    walk::RuntimeFacts facts;
    *cpu_ns = ThreadCpuNs(thread.tid);
    const auto limit = static_cast<uint32_t>(walked->size());
    core::FrameSink sink(walked->data(), 0, UINT64_MAX, limit, core::FrameSink::OutermostOf(limit));
    if (*cpu_ns == 0 || !setup_.threads->IsStill(thread) || !OwnFacts(thread, &facts))
      return Found::kEnded;
    const uint8_t number = walk::WalkManagedStack(&facts, thread.address, nullptr, &sink);
    const model::ThreadState state = facts.layout->state_name(number);
    if (state == model::ThreadState::kRunnable || state == model::ThreadState::kUnknown)
      return Found::kRuns;
    read(reader, facts, state);
    const bool is_same = setup_.threads->IsStill(thread);
    // No load above may be reordered after the second reading of the clock.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (ThreadCpuNs(thread.tid) != *cpu_ns || !is_same) continue;
    *stack = {walked->data(), sink.depth(), number, sink.truncation()};
    return Found::kStack;
  }
  return Found::kMoved;
}

bool StackRequest::Ask(const ThreadLook& look, uint32_t slot, const StackThread& thread,
                       const native::NativeFrames* native) {
  core::Sampler* const sampler = look.setup_.sampler;
  if (is_asked_ || !sampler->WithdrawStack(slot) || !look.OwnFacts(thread, &facts_)) return false;
  core::StackRequests::Thread asked = {&facts_, thread.address, facts_.stack_low,
                                       facts_.stack_high};
  if (native != nullptr && native->is_open()) {
    asked.wants_copy = true;
    asked.thread_words_at = facts_.managed_stack;
    asked.watched = native->LastLibrary();
  }
  void* cookie = sampler->AskForStack(slot, asked);
  const clockid_t clock = core::ThreadCpuClock(thread.tid);
  if (cookie == nullptr || timer_.Create(clock, thread.tid, cookie) != 0) return false;
  sampler_ = sampler;
  slot_ = slot;
  is_asked_ = true;
  if (timer_.Arm(1, 0) == 0) return true;
  End();
  return false;
}

bool StackRequest::Read(core::StackRequests::Stack* stack) const {
  return is_asked_ && sampler_->ReadStack(slot_, stack);
}

std::span<const native::MixedFrame> StackRequest::Native(const core::StackRequests::Stack& stack,
                                                         native::NativeFrames* native) const {
  const uintptr_t* words = nullptr;
  const core::StackCopy* copy = sampler_->StackCopyOf(slot_, &words);
  if (copy == nullptr) return {};
  return native->OfCopy(*copy, words,
                        {{stack.frames, stack.HasManagedCode() ? stack.depth : 0},
                         stack.thread_state,
                         true,
                         facts_.stack_low,
                         facts_.stack_high});
}

void StackRequest::End() {
  if (!is_asked_) return;
  timer_.Delete();
  is_asked_ = false;
  sampler_->WithdrawStack(slot_);
}

}  // namespace stillframe::sampling
