// SPDX-License-Identifier: Apache-2.0
// The stacks of all threads of the runtime, for a dump.
//
// A thread that stands still is read from outside, between two equal readings of its CPU clock; one
// that runs answers itself, when a one-shot timer on its own CPU clock brings it a signal, so that
// no sleep is ever interrupted. Nothing is suspended, no lock is taken. The main thread comes
// first, then who it waits for, to the end of that chain; then threads that use CPU, then the rest,
// as far as the time goes.
#pragma once

#include <cstdint>
#include <vector>

#include "src/art/thread_list.h"
#include "src/art/wait_reader.h"
#include "src/core/sampler.h"
#include "src/model/frame_table.h"
#include "src/model/thread_stacks.h"
#include "src/names/method_names.h"
#include "src/native/library_list.h"
#include "src/native/native_part.h"
#include "src/os/thread_timer.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::sampling {

class StackSurvey {
 public:
  static constexpr uint64_t kMaxNs = 150'000'000;  // for all stacks
  static constexpr size_t kMaxThreads = 1024;

  // All must outlive this.
  struct Setup {
    const walk::RuntimeFacts* runtime;  // with the main thread's stack
    const art::ThreadList* threads;
    art::WaitReader* waits;
    core::Sampler* sampler;
    model::FrameTable* frames;
    int32_t main_tid;
    uint32_t max_depth;
    bool native;  // native frames of threads that stand still as well
    const native::FileSymbols* files = nullptr;
  };
  void Start(const Setup& setup) {
    setup_ = setup;
    libraries_.UseFiles(setup.files);
  }

  // Takes kMaxNs at most, but for what was begun by then. The ids of frames are of the table.
  model::ThreadStacks Take();

  // Those that native frames of the last survey are in; of none, without native frames.
  const std::vector<model::Module>& libraries() const { return libraries_.libraries(); }

 private:
  struct Subject {
    art::RuntimeThread thread;
    uint64_t cpu_ns = 0;      // when it was looked at first
    bool is_settled = false;  // it has its stack, or has ended
    bool is_asked = false;    // or was
  };
  // Stays as long as the thread may be in its answer.
  struct Request {
    Subject* subject = nullptr;  // null: it is nobody's
    walk::RuntimeFacts facts;    // with the thread's own stack
    os::ThreadTimer timer;
  };
  // Of one survey.
  struct Round {
    Round(const walk::RuntimeFacts& facts, model::FrameTable* frames) : names(facts, frames) {}

    uint64_t begin_ns = 0;
    names::MethodNames names;
    std::vector<art::RuntimeThread> threads;
    std::vector<Subject> subjects;
    std::vector<core::RawFrame> walked;
    model::ThreadStacks found;
  };

  void LookAtAll(Round* round) const;
  void FollowMain(Round* round);
  void TakeRest(Round* round);
  // False when the thread runs.
  bool TakeStanding(Subject* subject, Round* round);
  void AskRunning(Round* round);
  bool Ask(Subject* subject);
  void TakeAnswers(Round* round);
  void Withdraw();
  void NameTheRest(Round* round) const;

  bool OwnFacts(const art::RuntimeThread& thread, walk::RuntimeFacts* facts) const;
  model::ThreadStack Describe(const Subject& subject, uint8_t state) const;
  bool IsInObjectWait(const model::ThreadStack& described) const;
  void Add(const core::StackRequests::Stack& stack, Subject* subject, model::ThreadStack* described,
           Round* round) const;

  Setup setup_ = {};
  native::LibraryList libraries_;
  Request requests_[core::StackRequests::kSlots];
};

}  // namespace stillframe::sampling
