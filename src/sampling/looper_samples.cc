// SPDX-License-Identifier: Apache-2.0
#include "src/sampling/looper_samples.h"

#include <signal.h>

#include <algorithm>
#include <string>
#include <utility>

#include "src/core/counters.h"
#include "src/core/guarded_memory.h"
#include "src/os/duration.h"
#include "src/os/proc.h"

namespace stillframe::sampling {
namespace {

constexpr uint64_t kLookNs = 10'000'000;  // about as often as the collector asks for a look
constexpr uint64_t kCheckNs = 500'000'000;
constexpr uint64_t kMostLateNs = 200'000'000;  // the first look
constexpr model::TreeLimits kLooperTreeLimits = {.max_samples = 1024, .max_nodes = 2048};

}  // namespace

void LooperSamples::Start(const Setup& setup) {
  setup_ = setup;
  look_ = ThreadLook(setup.look);
  is_started_ = true;
}

// Another component may have taken the place of our fault recovery.
bool LooperSamples::MayRead(uint64_t now_ns) {
  if (checked_ns_ == 0 || now_ns - checked_ns_ >= kCheckNs) {
    checked_ns_ = now_ns;
    may_read_ = core::KeepFaultRecovery().is_in_place;
  }
  return may_read_;
}

// The thread's own entry, made new for another message; null: all are taken.
LooperSamples::Followed* LooperSamples::Find(const core::WatchedThread& thread,
                                             const core::RunningMessage& message, uint64_t now_ns) {
  auto found = std::ranges::find(followed_, thread.tid,
                                 [](const Followed& each) { return each.thread.tid; });
  if (found != std::end(followed_) && found->tree.token() == message.token) return &*found;
  if (found != std::end(followed_)) Forget(&*found);
  found = std::ranges::find(followed_, 0, [](const Followed& each) { return each.thread.tid; });
  // The first sample counts from the message's start.
  if (found == std::end(followed_) || message.AgeNs(now_ns) > setup_.slow_ns + kMostLateNs)
    return nullptr;
  found->thread = art::RuntimeThread{AddressOf(thread), thread.tid};
  found->thread.stack_low = thread.stack_low;
  found->thread.stack_high = thread.stack_high;
  found->start_ns = found->last_ns = message.start_ns;
  found->start_cpu_ns = message.start_cpu_ns;
  found->tree = model::TraceTree(message.token, kLooperTreeLimits);
  return &*found;
}

// A thread with a heartbeat may attach itself to the VM, and detach, at any time.
uintptr_t LooperSamples::AddressOf(const core::WatchedThread& thread) const {
  constexpr size_t kMaxThreads = 1024;
  if (thread.stack_high == 0) return thread.runtime_thread.load(std::memory_order_acquire);
  std::vector<art::RuntimeThread> threads;
  setup_.look.threads->Read(kMaxThreads, &threads);
  const auto found = std::ranges::find(threads, thread.tid, &art::RuntimeThread::tid);
  return found == threads.end() ? 0 : found->address;
}

void LooperSamples::Forget(Followed* followed) {
  followed->request.End();
  followed->thread = {};
  followed->tree = model::TraceTree();
}

void LooperSamples::Look(const core::WatchedThread& thread, const core::RunningMessage& message,
                         uint64_t now_ns) {
  if (!is_started_ || !setup_.look.sampler->enabled() ||
      (thread.runtime_thread.load(std::memory_order_acquire) == 0 && thread.stack_high == 0))
    return;
  Followed* followed = Find(thread, message, now_ns);
  if (followed == nullptr || !MayRead(now_ns)) return;
  const uint64_t pause_ns = kLookNs * (followed->tree.interval_scale() - 1);
  if (now_ns - followed->last_ns < pause_ns && !followed->request.is_asked()) return;
  walked_.resize(setup_.max_depth);
  ThreadLook::Mixed mixed;
  if (followed->request.Read(&mixed.stack)) {
    mixed.native = followed->request.Native(mixed.stack, setup_.native);
    Add(mixed, now_ns, followed);
    followed->request.End();
    return;
  }
  const auto found = look_.FromOutside(followed->thread, setup_.native, &walked_, &mixed);
  if (found == ThreadLook::Found::kStack) {
    followed->request.End();
    return Add(mixed, now_ns, followed);
  }
  if (found == ThreadLook::Found::kEnded) return Forget(followed);
  if (followed->request.is_asked() || setup_.look.sampler->ForeignHandler() != 0 ||
      os::ThreadBlocks(thread.tid, SIGPROF))
    return;
  const auto slot = static_cast<uint32_t>(followed - followed_);
  followed->request.Ask(look_, core::StackRequests::kFirstLooperSlot + slot, followed->thread,
                        setup_.native);
}

void LooperSamples::Add(const ThreadLook::Mixed& mixed, uint64_t now_ns, Followed* followed) {
  const uint32_t wall_us = os::ElapsedUs(followed->start_ns, now_ns);
  followed->tree.Add(
      setup_.trees->Resolve(mixed.stack, mixed.native, mixed.kernel_call,
                            followed->tree.max_depth()),
      {wall_us, wall_us - std::min(os::ElapsedUs(followed->start_ns, followed->last_ns), wall_us),
       os::ElapsedUs(followed->start_cpu_ns, ThreadCpuNs(followed->thread.tid)),
       followed->thread.address == 0
           ? model::ThreadState::kNative
           : setup_.look.runtime->layout->state_name(mixed.stack.thread_state)});
  followed->last_ns = now_ns;
}

uint32_t LooperSamples::End(Token token, uint64_t end_ns) {
  const auto found =
      std::ranges::find(followed_, token, [](const Followed& each) { return each.tree.token(); });
  if (token == Token::kNone || found == std::end(followed_)) return 0;
  const auto samples = static_cast<uint32_t>(found->tree.samples_added());
  if (!found->tree.empty()) {
    found->tree.CloseAt(os::ElapsedUs(found->start_ns, end_ns));
    setup_.trees->Keep(found->tree, end_ns - found->start_ns);
  }
  Forget(&*found);
  return samples;
}

const model::TraceTree* LooperSamples::TreeOf(Token token) const {
  const auto found =
      std::ranges::find(followed_, token, [](const Followed& each) { return each.tree.token(); });
  return token == Token::kNone || found == std::end(followed_) || found->tree.empty()
             ? nullptr
             : &found->tree;
}

uint32_t LooperSamples::SamplesOf(Token token) const {
  const model::TraceTree* tree = TreeOf(token);
  return tree == nullptr ? 0 : static_cast<uint32_t>(tree->samples_added());
}

void LooperSamples::EncodeRunning(std::vector<std::unique_ptr<dump::EncodedTree>>* trees) const {
  for (const Followed& each : followed_) {
    auto tree = std::make_unique<dump::EncodedTree>();
    if (!each.tree.empty() && setup_.writer->EncodeTree(each.tree, tree.get()) == dump::Status::kOk)
      trees->push_back(std::move(tree));
  }
}

void LooperSamples::KeepFrames(uint32_t most_percent, model::LiveNames* live) {
  for (Followed& each : followed_) {
    model::LiveNames with_it = *live;
    for (const model::Node& node : each.tree.nodes().subspan(1)) with_it.AddFrame(node.frame);
    if (with_it.percent() <= most_percent) {
      *live = std::move(with_it);
    } else if (each.thread.tid != 0) {
      Forget(&each);
      core::Counters::Add(Counter::kTreesLostForNames);
    }
  }
}

}  // namespace stillframe::sampling
