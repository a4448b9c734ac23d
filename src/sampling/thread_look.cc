// SPDX-License-Identifier: Apache-2.0
#include "src/sampling/thread_look.h"

namespace stillframe::sampling {

bool ThreadLook::OwnFacts(const art::RuntimeThread& thread, walk::RuntimeFacts* facts) const {
  *facts = *setup_.runtime;
  if (thread.tid != setup_.main_tid) facts->warm = nullptr;
  return thread.tid == setup_.main_tid ||
         setup_.threads->LoadStack(thread, &facts->stack_low, &facts->stack_high);
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
