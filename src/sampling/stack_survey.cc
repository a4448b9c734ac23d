// SPDX-License-Identifier: Apache-2.0
#include "src/sampling/stack_survey.h"

#include <signal.h>
#include <time.h>

#include <algorithm>

#include "src/core/clock.h"
#include "src/os/duration.h"
#include "src/os/proc.h"

namespace stillframe::sampling {
namespace {

using model::StackSource;
using model::ThreadStack;
using model::ThreadState;

constexpr int kMaxChain = 64;
constexpr uint64_t kLookEveryNs = os::kNsPerMs;

}  // namespace

void StackSurvey::CheckAll(Round* round) const {
  round->found.threads = static_cast<uint32_t>(setup_.threads->Read(kMaxThreads, &round->threads));
  round->subjects.reserve(round->threads.size());
  for (const art::RuntimeThread& thread : round->threads) {
    const uint64_t cpu_ns = ThreadCpuNs(thread.tid);
    if (cpu_ns != 0) round->subjects.push_back({thread, cpu_ns});
  }
}

ThreadStack StackSurvey::Describe(const Subject& subject, uint8_t state) const {
  ThreadStack described;
  described.tid = static_cast<uint32_t>(subject.thread.tid);
  described.name = setup_.waits->NameOf(subject.thread);
  if (described.name.empty()) described.name = os::ThreadName(subject.thread.tid);
  described.state = setup_.runtime->layout->state_name(state);
  return described;
}

// If the application itself waits on a Class object, that is not a wait for its initialisation.
bool StackSurvey::IsInObjectWait(const ThreadStack& described) const {
  return described.frames.empty() ||
         setup_.frames->ClassName(described.frames.front()) == "java.lang.Object";
}

void StackSurvey::Add(const core::StackRequests::Stack& stack, Subject* subject,
                      ThreadStack* described, Round* round) const {
  for (uint32_t i = 0; i < stack.depth && stack.HasManagedCode(); ++i) {
    model::FrameId ids[names::MethodNames::kMaxFrames];
    const uint32_t count = round->names.Resolve(stack.frames[i], ids);
    described->frames.insert(described->frames.end(), ids, ids + count);
  }
  if (described->wait == model::WaitKind::kClassInit && IsInObjectWait(*described)) {
    described->wait = model::WaitKind::kObject;
    described->wait_class = "java.lang.Class";
    described->wait_tid = 0;
  }
  round->found.stacks.push_back(std::move(*described));
  subject->is_settled = true;
}

bool StackSurvey::SampleBlocked(Subject* subject, Round* round) {
  art::Wait wait;
  native::NativePart native;
  core::StackRequests::Stack stack = {};
  uint64_t cpu_ns = 0;
  const art::RuntimeThread& thread = subject->thread;
  const auto found = look_.FromOutside(
      thread, &round->walked,
      [&](const walk::RuntimeFacts& facts, ThreadState state) {
        wait = setup_.waits->Read(thread, state, round->threads);
        if (setup_.native) native = native::ReadNativePart(facts, thread.tid, thread.address);
      },
      &stack, &cpu_ns);
  if (found == ThreadLook::Found::kEnded) subject->is_settled = true;
  if (found != ThreadLook::Found::kStack) return found == ThreadLook::Found::kEnded;
  ThreadStack described = Describe(*subject, stack.thread_state);
  described.source = StackSource::kStoodStill;
  described.cpu_ns = cpu_ns;
  described.wait = wait.kind;
  described.wait_class = wait.class_name;
  described.wait_object = wait.object;
  described.wait_tid = static_cast<uint32_t>(wait.tid);
  if (setup_.native) libraries_.Describe(native, &described);
  Add(stack, subject, &described, round);
  return true;
}

void StackSurvey::FollowMain(Round* round) {
  int32_t tid = setup_.main_tid;
  for (int i = 0; tid != 0 && i < kMaxChain; ++i) {
    const auto next = std::ranges::find_if(round->subjects, [tid](const Subject& subject) {
      return subject.thread.tid == tid && !subject.is_settled;
    });
    if (next == round->subjects.end()) return;
    if (!SampleBlocked(&*next, round)) {
      Ask(&*next);
      return;
    }
    if (round->found.stacks.empty()) return;
    tid = static_cast<int32_t>(round->found.stacks.back().wait_tid);
  }
}

bool StackSurvey::Ask(Subject* subject) {
  subject->is_asked = true;
  if (!setup_.sampler->enabled() || setup_.sampler->ForeignHandler() != 0 ||
      os::ThreadBlocks(subject->thread.tid, SIGPROF))
    return false;
  for (uint32_t slot = 0; slot < core::StackRequests::kSurveySlots; ++slot) {
    Request& request = requests_[slot];
    if (request.subject != nullptr || !setup_.sampler->WithdrawStack(slot)) continue;
    if (!request.request.Ask(look_, slot, subject->thread)) return false;
    request.subject = subject;
    return true;
  }
  subject->is_asked = false;  // no slot was free
  return false;
}

// Threads that have used the CPU since the first check, or are about to.
void StackSurvey::AskRunning(Round* round) {
  for (Subject& subject : round->subjects) {
    if (subject.is_settled || subject.is_asked) continue;
    uint8_t state = 0;
    const walk::Layout& layout = *setup_.runtime->layout;
    const bool runs = ThreadCpuNs(subject.thread.tid) != subject.cpu_ns ||
                      (arch::GuardedLoad8(subject.thread.address + layout.thread_state, &state) &&
                       state == layout.state_runnable);
    if (runs && !SampleBlocked(&subject, round)) Ask(&subject);
  }
}

void StackSurvey::TakeAnswers(Round* round) {
  for (auto& [subject, request] : requests_) {
    core::StackRequests::Stack stack = {};
    if (subject == nullptr) continue;
    const bool is_answered = request.Read(&stack);
    if (!is_answered && !subject->is_settled) continue;
    if (is_answered && !subject->is_settled) {
      ThreadStack described = Describe(*subject, stack.thread_state);
      described.source = StackSource::kRunning;
      described.cpu_ns = ThreadCpuNs(subject->thread.tid);
      if (setup_.native) described.native_absent = "it ran";
      Add(stack, subject, &described, round);
    }
    request.End();
    subject = nullptr;
  }
}

void StackSurvey::TakeRest(Round* round) {
  const auto has_time = [round] { return core::MonotonicNs() - round->begin_ns < kMaxNs; };
  for (bool is_done = false; !is_done && has_time();) {
    is_done = true;
    for (Subject& subject : round->subjects) {
      if (subject.is_settled) continue;
      if (!has_time()) break;
      if (SampleBlocked(&subject, round)) continue;
      if (!subject.is_asked) Ask(&subject);
      is_done = false;
    }
    TakeAnswers(round);
    const timespec pause = os::TimespecOf(kLookEveryNs);
    if (!is_done) nanosleep(&pause, nullptr);
  }
}

void StackSurvey::Withdraw() {
  for (auto& [subject, request] : requests_) {
    request.End();
    subject = nullptr;
  }
}

void StackSurvey::NameRemaining(Round* round) const {
  for (const Subject& subject : round->subjects) {
    uint8_t state = 0;
    if (subject.is_settled || !setup_.threads->IsStill(subject.thread) ||
        !arch::GuardedLoad8(subject.thread.address + setup_.runtime->layout->thread_state, &state))
      continue;
    ThreadStack described = Describe(subject, state);
    described.absent = subject.is_asked ? "it was about to run, and no signal of its CPU clock came"
                                        : "not reached in time";
    round->found.stacks.push_back(std::move(described));
  }
}

model::ThreadStacks StackSurvey::Take() {
  Round round(*setup_.runtime, setup_.frames);
  round.begin_ns = core::MonotonicNs();
  round.walked.resize(setup_.max_depth);
  setup_.waits->ForgetThreads();
  if (setup_.native) libraries_.Read(*setup_.runtime->modules);
  CheckAll(&round);
  FollowMain(&round);
  AskRunning(&round);
  TakeRest(&round);
  Withdraw();
  NameRemaining(&round);
  if (setup_.native) libraries_.NameAll(&round.found);
  round.found.begin_ns = round.begin_ns;
  round.found.duration_ns = core::MonotonicNs() - round.begin_ns;
  if (round.found.threads == 0)
    round.found.absent = "the runtime's list of threads was not to be read";
  return std::move(round.found);
}

}  // namespace stillframe::sampling
