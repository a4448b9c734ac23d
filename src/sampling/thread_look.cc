// SPDX-License-Identifier: Apache-2.0
#include "src/sampling/thread_look.h"

#include <atomic>

#include "src/walk/walk.h"

namespace stillframe::sampling {

bool ThreadLook::OwnFacts(const art::RuntimeThread& thread, walk::RuntimeFacts* facts) const {
  *facts = *setup_.runtime;
  if (thread.tid != setup_.main_tid) facts->warm = nullptr;
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

bool StackRequest::Ask(const ThreadLook& look, uint32_t slot, const art::RuntimeThread& thread) {
  core::Sampler* const sampler = look.setup_.sampler;
  if (is_asked_ || !sampler->WithdrawStack(slot) || !look.OwnFacts(thread, &facts_)) return false;
  void* cookie =
      sampler->AskForStack(slot, {&facts_, thread.address, facts_.stack_low, facts_.stack_high});
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

void StackRequest::End() {
  if (!is_asked_) return;
  timer_.Delete();
  is_asked_ = false;
  sampler_->WithdrawStack(slot_);
}

}  // namespace stillframe::sampling
