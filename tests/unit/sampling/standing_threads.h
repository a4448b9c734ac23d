// SPDX-License-Identifier: Apache-2.0
// Real tasks whose runtime structures are laid out as ART does it: for looks at other threads.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include "src/os/proc.h"
#include "tests/unit/art/java_image.h"
#include "tests/unit/sampling/slow_message_case.h"

namespace stillframe::sampling {

using art::Task;

inline constexpr uint8_t kBlocked = 70;  // in all releases, as kSleeping
inline constexpr uint8_t kWaiting = 71;

class StandingThreads : public testing::Test, protected art::JavaImage {
 protected:
  // Adds the runtime thread of the task, whose stack is in a method.
  uintptr_t AddStanding(const Task& task, uint8_t state = kSleeping) {
    while (os::SchedulerState(task.tid()) != 'S') std::this_thread::yield();
    const uintptr_t thread = AddThread(task);
    SetState(thread, state);
    const uintptr_t method = image_.Method();
    image_.PutCodeItem(method, dex_.begin(), dex_.code_item());
    image_.Put32(method + layout_.method_dex_index, names::SmallDex::kDrawMethod);
    image_.SetFragment(thread + facts_.managed_stack, 0, image_.Fragment(0, 0, 0),
                       image_.ShadowFrame(method, 4, 0));
    PutStack(thread, image_.stack(), walk::ArtImage::kStackBytes + 4096);
    AddPeer(thread);
    return thread;
  }
  void SetState(uintptr_t thread, uint8_t state) {
    image_.Put8(thread + layout_.thread_state, state);
  }
  // Proves the list, with the first added thread as the main one. The caller is the collector; it
  // is in the list only while the list is proved.
  void ProveList() {
    PutDex(image_.class_address());
    facts_.stack_low = image_.stack();
    facts_.stack_high = image_.stack() + walk::ArtImage::kStackBytes;
    AddPeer(self_);
    ASSERT_TRUE(Prove());
    waits_.Find(facts_, list_, env());
    threads_.erase(threads_.begin());
    Link();
  }
  static uint64_t CpuNs(const Task& task) {
    return core::CpuClockNs(core::ThreadCpuClock(task.tid()));
  }
  std::optional<Task> main_{std::in_place};
  model::FrameTable frames_;
  art::WaitReader waits_;
};

}  // namespace stillframe::sampling
