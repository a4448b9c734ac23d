// SPDX-License-Identifier: Apache-2.0
#include "src/sampling/other_threads.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "src/core/counters.h"
#include "src/os/duration.h"
#include "src/os/proc.h"

namespace stillframe::sampling {
namespace {

using model::OtherThread;
using model::ThreadRole;

constexpr size_t kMaxThreads = 1024;  // of the runtime
constexpr model::TreeLimits kTreeLimits = {.max_samples = 512, .max_nodes = 1344};
// A thread that used less than this part of the time since the message's start did not hold it up.
constexpr uint64_t kLeastCpuPart = 10;

}  // namespace

void OtherThreads::Start(const Setup& setup) {
  setup_ = setup;
  look_ = ThreadLook(setup.look);
  is_started_ = true;
}

uint64_t OtherThreads::Tick(const core::RunningMessage& running, uint64_t last_end_ns,
                            uint64_t now_ns, uint64_t interval_scale) {
  if (!is_started_) return UINT64_MAX;
  if (running.token != message_.token) {
    if (message_.token != Token::kNone) End(std::max(last_end_ns, look_ns_));
    if (running.token != Token::kNone && interval_scale != 0) Begin(running, now_ns);
  }
  if (interval_scale == 0) {
    for (Followed& each : followed_) EndRequest(&each);
    return UINT64_MAX;
  }
  if (message_.token == Token::kNone) return UINT64_MAX;
  if (now_ns < next_ns_) return next_ns_ - now_ns;
  const uint64_t cpu_ns = ThreadCpuNs(setup_.look.main_tid);
  const uint64_t used_ns = cpu_ns - std::min(cpu_ns, message_.start_cpu_ns);
  const uint64_t waited_ns = running.AgeNs(now_ns) - std::min(running.AgeNs(now_ns), used_ns);
  const bool waits = look_ns_ == 0 || (cpu_ns - main_cpu_ns_) * 2 < now_ns - look_ns_;
  next_ns_ =
      now_ns + (waited_ns < kWaitedNs ? kWaitedNs - waited_ns : kLookEveryNs * interval_scale);
  if (waited_ns >= kWaitedNs) {
    if (waits)
      LookAtAll(now_ns);
    else
      for (Followed& each : followed_) EndRequest(&each);
    look_ns_ = now_ns;
    main_cpu_ns_ = cpu_ns;
  }
  return next_ns_ - now_ns;
}

void OtherThreads::Begin(const core::RunningMessage& running, uint64_t now_ns) {
  message_ = running;
  look_ns_ = 0;
  next_ns_ = std::max(now_ns, running.start_ns + kWaitedNs);
}

void OtherThreads::Stop() { End(look_ns_); }

// Keeps the trees if the message's own tree was kept.
void OtherThreads::End(uint64_t end_ns) {
  Ended ended;
  const bool is_kept = setup_.trees->HasKept(message_.token);
  for (Followed& each : followed_) {
    TakeAnswer(&each, end_ns);
    EndRequest(&each);
    if (!is_kept) continue;
    if (auto tree = std::make_unique<dump::EncodedTree>();
        !each.tree.empty() &&
        setup_.writer->EncodeTree(each.tree, tree.get()) == dump::Status::kOk) {
      each.row.tree = each.tree.token();
      ended_bytes_ += tree->memory_bytes();
      ended.trees.push_back(std::move(tree));
    }
    ended.rows.push_back(std::move(each.row));
  }
  if (!ended.rows.empty()) ended_.push_back(std::move(ended));
  while (ended_bytes_ > kMostBytes ||
         (!ended_.empty() && !setup_.trees->HasKept(ended_.front().rows.front().during)))
    DropOldest();
  message_ = {};
  // Nothing stays behind a hang: most processes have none for a long time.
  followed_ = {};
  usage_ = {};
  threads_ = {};
  walked_ = {};
}

void OtherThreads::DropOldest() {
  for (const auto& tree : ended_.front().trees) ended_bytes_ -= tree->memory_bytes();
  ended_.erase(ended_.begin());
}

void OtherThreads::LookAtAll(uint64_t now_ns) {
  walked_.resize(setup_.max_depth);
  setup_.waits->ForgetThreads();
  setup_.look.threads->Read(kMaxThreads, &threads_);
  for (Followed& each : followed_) TakeAnswer(&each, now_ns);
  due_.clear();
  ReadUsage();
  FollowWaits(now_ns);
  FollowCpu(now_ns);
  for (Followed& each : followed_)
    if (std::ranges::find(due_, each.thread.tid) != due_.end())
      Look(&each, now_ns);
    else
      EndRequest(&each);
}

void OtherThreads::ReadUsage() {
  std::vector<Usage> now;
  now.reserve(threads_.size());
  const int32_t own_tid = gettid();
  for (const art::RuntimeThread& thread : threads_) {
    if (thread.tid == setup_.look.main_tid || thread.tid == own_tid) continue;
    const uint64_t cpu_ns = ThreadCpuNs(thread.tid);
    if (cpu_ns == 0) continue;
    const auto before = std::ranges::find_if(usage_, [&thread](const Usage& usage) {
      return usage.thread.tid == thread.tid && usage.thread.address == thread.address;
    });
    now.push_back({thread, before == usage_.end() ? cpu_ns : before->begin_cpu_ns, cpu_ns});
  }
  usage_ = std::move(now);
}

const art::RuntimeThread* OtherThreads::Find(int32_t tid) const {
  const auto found = std::ranges::find(threads_, tid, &art::RuntimeThread::tid);
  return found == threads_.end() ? nullptr : &*found;
}

// The thread that can end the wait of `thread`, which does not run; 0: unknown.
int32_t OtherThreads::WaitsFor(const art::RuntimeThread& thread) {
  art::Wait wait;
  core::StackRequests::Stack stack = {};
  uint64_t cpu_ns = 0;
  const auto found = look_.FromOutside(
      thread, &walked_,
      [&](const walk::RuntimeFacts&, model::ThreadState state) {
        wait = setup_.waits->Read(thread, state, threads_);
      },
      &stack, &cpu_ns);
  return found == ThreadLook::Found::kStack ? wait.tid : 0;
}

void OtherThreads::FollowWaits(uint64_t now_ns) {
  const art::RuntimeThread* thread = Find(setup_.look.main_tid);
  for (const ThreadRole role : {ThreadRole::kEndsTheWait, ThreadRole::kEndsItsWait}) {
    if (thread == nullptr) return;
    const int32_t tid = WaitsFor(*thread);
    thread = tid == 0 || tid == setup_.look.main_tid ? nullptr : Find(tid);
    if (thread != nullptr) Follow(*thread, role, now_ns);
  }
}

void OtherThreads::FollowCpu(uint64_t now_ns) {
  std::vector<const Usage*> most;
  const uint64_t least_ns =
      std::max(kLookEveryNs, now_ns - std::min(now_ns, look_ns_)) / kLeastCpuPart;
  for (const Usage& usage : usage_)
    if (usage.cpu_ns - usage.begin_cpu_ns >= least_ns) most.push_back(&usage);
  std::ranges::sort(most, std::greater<>(),
                    [](const Usage* usage) { return usage->cpu_ns - usage->begin_cpu_ns; });
  most.resize(std::min(most.size(), kMostByCpu));
  for (const Usage* usage : most) Follow(usage->thread, ThreadRole::kUsedCpu, now_ns);
}

void OtherThreads::Follow(const art::RuntimeThread& thread, ThreadRole role, uint64_t now_ns) {
  const auto known = std::ranges::find_if(followed_, [&thread](const Followed& each) {
    return each.thread.tid == thread.tid && each.thread.address == thread.address;
  });
  if (std::ranges::find(due_, thread.tid) == due_.end()) due_.push_back(thread.tid);
  if (known != followed_.end()) {
    if (role < known->row.role) known->row.role = role;
    return;
  }
  if (followed_.size() == kMostThreads) return;
  Followed& each = followed_.emplace_back();
  each.thread = thread;
  each.cpu_ns = ThreadCpuNs(thread.tid);
  each.begin_ns = now_ns;
  each.row.during = message_.token;
  each.row.tid = static_cast<uint32_t>(thread.tid);
  each.row.name = setup_.waits->NameOf(thread);
  if (each.row.name.empty()) each.row.name = os::ThreadName(thread.tid);
  each.row.role = role;
  each.row.from_us = each.row.until_us = os::ElapsedUs(message_.start_ns, now_ns);
  each.tree = model::TraceTree(setup_.tokens->NewToken(), kTreeLimits);
}

// Each stack stands for the time since the look before, unless the thread was not looked at then.
void OtherThreads::Look(Followed* followed, uint64_t now_ns) {
  const uint64_t pause_ns = now_ns - followed->begin_ns;
  if (look_ns_ != 0 && pause_ns > now_ns - look_ns_ && followed->slot == UINT32_MAX)
    followed->begin_ns = look_ns_;
  std::string kernel_call;
  core::StackRequests::Stack stack = {};
  const auto found =
      look_.FromOutside(followed->thread, *setup_.native, &walked_, &stack, &kernel_call);
  if (found == ThreadLook::Found::kStack) {
    EndRequest(followed);
    return Add(stack, kernel_call, now_ns, followed);
  }
  if (found == ThreadLook::Found::kEnded) {
    EndRequest(followed);
    followed->row.absent = "it ended";
    return;
  }
  if (followed->slot == UINT32_MAX) Ask(followed);
}

void OtherThreads::Ask(Followed* followed) {
  const core::Sampler& sampler = *setup_.look.sampler;
  OtherThread& row = followed->row;
  if (!sampler.enabled() || sampler.ForeignHandler() != 0) {
    row.absent = "no signals are sent";
  } else if (os::ThreadBlocks(followed->thread.tid, SIGPROF)) {
    row.absent = "it blocks SIGPROF";
  } else {
    for (uint32_t i = 0; i < core::StackRequests::kHangSlots; ++i) {
      if (requests_[i].is_asked() ||
          !requests_[i].Ask(look_, core::StackRequests::kSurveySlots + i, followed->thread))
        continue;
      followed->slot = i;
      return;
    }
    row.absent = "no signal could be requested";
  }
  ++row.missed;
}

void OtherThreads::TakeAnswer(Followed* followed, uint64_t now_ns) {
  core::StackRequests::Stack stack = {};
  if (followed->slot == UINT32_MAX || !requests_[followed->slot].Read(&stack)) return;
  Add(stack, {}, now_ns, followed);
  EndRequest(followed);
}

void OtherThreads::EndRequest(Followed* followed) {
  if (followed->slot == UINT32_MAX) return;
  requests_[followed->slot].End();
  followed->slot = UINT32_MAX;
}

void OtherThreads::Add(const core::StackRequests::Stack& stack, std::string_view kernel_call,
                       uint64_t now_ns, Followed* followed) {
  OtherThread& row = followed->row;
  const uint64_t cpu_ns = ThreadCpuNs(followed->thread.tid);
  row.cpu_us = os::ElapsedUs(followed->cpu_ns, cpu_ns);
  row.until_us = os::ElapsedUs(message_.start_ns, now_ns);
  const uint32_t weight_us = os::ElapsedUs(followed->begin_ns, now_ns);
  row.followed_us += weight_us;
  followed->begin_ns = now_ns;
  if (!stack.HasManagedCode() && kernel_call.empty()) {
    row.absent = "it is in no managed code";
    ++row.missed;
    return;
  }
  ++row.looks;
  followed->tree.Add(setup_.trees->Resolve(stack, {}, kernel_call, followed->tree.max_depth()),
                     {row.until_us, weight_us, row.cpu_us,
                      setup_.look.runtime->layout->state_name(stack.thread_state)});
}

std::vector<OtherThread> OtherThreads::Describe() const {
  std::vector<OtherThread> rows;
  for (const Ended& ended : ended_) rows.insert(rows.end(), ended.rows.begin(), ended.rows.end());
  for (const Followed& each : followed_) {
    rows.push_back(each.row);
    if (!each.tree.empty()) rows.back().tree = each.tree.token();
  }
  return rows;
}

std::vector<const dump::EncodedTree*> OtherThreads::Trees(
    std::vector<std::unique_ptr<dump::EncodedTree>>* running) const {
  std::vector<const dump::EncodedTree*> trees;
  for (const Ended& ended : ended_)
    for (const auto& tree : ended.trees) trees.push_back(tree.get());
  for (const Followed& each : followed_) {
    auto tree = std::make_unique<dump::EncodedTree>();
    if (each.tree.empty() || setup_.writer->EncodeTree(each.tree, tree.get()) != dump::Status::kOk)
      continue;
    trees.push_back(tree.get());
    running->push_back(std::move(tree));
  }
  return trees;
}

void OtherThreads::KeepFrames(uint32_t most_percent, model::LiveNames* live) {
  model::LiveNames with_all = *live;
  for (const Followed& each : followed_)
    for (const model::Node& node : each.tree.nodes().subspan(1)) with_all.AddFrame(node.frame);
  for (const Ended& ended : ended_)
    for (const auto& tree : ended.trees)
      for (const model::FrameId id : tree->frames) with_all.AddFrame(id);
  if (with_all.percent() <= most_percent) {
    *live = std::move(with_all);
    return;
  }
  core::Counters::Add(Counter::kTreesLostForNames);
  while (!ended_.empty()) DropOldest();
  for (Followed& each : followed_) each.tree.Reset(each.tree.token());
}

size_t OtherThreads::memory_bytes() const {
  size_t bytes = ended_bytes_;
  for (const Followed& each : followed_) bytes += each.tree.memory_bytes();
  return bytes;
}

}  // namespace stillframe::sampling
