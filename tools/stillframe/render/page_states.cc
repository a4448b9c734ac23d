// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/page_states.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/model/message.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/index/outside.h"
#include "tools/stillframe/index/window.h"
#include "tools/stillframe/render/own_state.h"

namespace stillframe::render {
namespace {

using index::Outside;
using model::ThreadState;

char DigitOf(size_t number) { return "0123456789abcdefghijklmnopqrstuvwxyz"[number]; }

char DigitOf(ThreadState state) {
  return DigitOf(std::size(kOwnStates) + static_cast<size_t>(state));
}

char DigitOf(OwnState state) { return DigitOf(static_cast<size_t>(state)); }

// Finds the outermost method that waits for something outside the process.
class StackLook {
 public:
  explicit StackLook(const model::FrameTable& frames) : frames_(frames), known_(frames.size()) {}

  Outside At(std::span<const model::FrameId> stack) {
    for (const model::FrameId id : stack) {
      Known& known = known_[id];
      if (!known.is_known) known = {true, index::WaitedFor(frames_, id)};
      if (known.outside != Outside::kNothing) return known.outside;
    }
    return Outside::kNothing;
  }

 private:
  struct Known {
    bool is_known = false;
    Outside outside = Outside::kNothing;
  };
  const model::FrameTable& frames_;
  std::vector<Known> known_;
};

// In native code, the kernel call distinguishes waiting from running.
ThreadState StateOf(const model::FrameTable& frames, std::span<const model::FrameId> stack,
                    ThreadState state) {
  if (state != ThreadState::kNative) return state;
  switch (index::WaitInKernel(index::KernelCallOf(frames, stack))) {
    case index::KernelWait::kWait: return ThreadState::kWaiting;
    case index::KernelWait::kSleep: return ThreadState::kSleeping;
    default: return state;
  }
}

}  // namespace

std::string PageStates(const index::DumpIndex& index, const model::TraceTree& tree) {
  std::string states;
  states.reserve(tree.sample_count());
  const model::FrameTable& frames = index.document().frames;
  StackLook look(frames);
  const model::Message* message = index.MessageOf(tree.token());
  const bool was_stopped = message != nullptr && index::UnseenNs(index, *message) > 0;
  // The kernel counted so much time without a CPU that native code hardly waited for anything else.
  const bool was_starved = message != nullptr &&
                           message->runqueue_wait_ns * 2 >= message->wall_ns - message->cpu_ns &&
                           message->runqueue_wait_ns * 4 >= message->wall_ns;
  uint32_t cpu_before_us = 0;
  tree.ForEachStack(
      [&](uint32_t, std::span<const model::FrameId> stack, const model::Sample& sample) {
        const uint32_t used_us = sample.cpu_us - std::min(cpu_before_us, sample.cpu_us);
        cpu_before_us = sample.cpu_us;
        const bool is_computing = uint64_t{used_us} * 3 >= sample.weight_us;
        if (was_stopped && index::MayBeStopped(*message, tree, sample, used_us))
          states += DigitOf(OwnState::kNotRun);
        else if (sample.state != ThreadState::kBlocked && look.At(stack) == Outside::kMemory)
          states += DigitOf(OwnState::kMemory);
        else if (sample.state == ThreadState::kRunnable)
          states += is_computing ? DigitOf(sample.state) : DigitOf(OwnState::kReady);
        else if (sample.state != ThreadState::kBlocked && look.At(stack) == Outside::kBinder)
          states += DigitOf(OwnState::kBinder);
        else if (sample.state != ThreadState::kBlocked && look.At(stack) == Outside::kInputOutput)
          states += DigitOf(OwnState::kInputOutput);
        else if (const ThreadState state = StateOf(frames, stack, sample.state);
                 state == ThreadState::kNative && was_starved && !is_computing)
          states += DigitOf(OwnState::kReady);
        else
          states += DigitOf(state);
      });
  return states;
}

}  // namespace stillframe::render
