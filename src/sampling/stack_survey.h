// SPDX-License-Identifier: Apache-2.0
// Stacks of all threads of the runtime, for a dump.
//
// A thread that does not run is read from outside, between two equal readings of its CPU clock. A
// running thread walks itself, in a signal from a one-shot timer on its own CPU clock, so no sleep
// is interrupted. No thread is suspended, and no lock is taken. Order: the main thread, the chain
// of threads that it waits for, threads that use CPU, then the others while time remains.
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
#include "src/sampling/thread_look.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::sampling {

class StackSurvey {
 public:
  static constexpr uint64_t kMaxNs = 150'000'000;  // for the whole survey
  static constexpr size_t kMaxThreads = 1024;

  // All must outlive this.
  struct Setup {
    const walk::RuntimeFacts* runtime;  // with the bounds of the main thread's stack
    const art::ThreadList* threads;
    art::WaitReader* waits;
    core::Sampler* sampler;
    model::FrameTable* frames;
    int32_t main_tid;
    uint32_t max_depth;
    bool native;  // native frames of threads that do not run
    const native::FileSymbols* files = nullptr;
  };
  void Start(const Setup& setup) {
    setup_ = setup;
    look_ = ThreadLook({setup.runtime, setup.threads, setup.sampler, setup.main_tid});
    libraries_.UseFiles(setup.files);
  }

  // Takes at most kMaxNs, plus the step begun by then. Frame ids are of the table.
  model::ThreadStacks Take();

  // Libraries of the native frames in the last survey; empty without native frames.
  const std::vector<model::Module>& libraries() const { return libraries_.libraries(); }

 private:
  struct Subject {
    art::RuntimeThread thread;
    uint64_t cpu_ns = 0;      // at the first check
    bool is_settled = false;  // has its stack, or has ended
    bool is_asked = false;    // a signal was requested
  };
  struct Request {
    Subject* subject = nullptr;  // null: free
    StackRequest request;
  };
  // State of one survey.
  struct Round {
    Round(const walk::RuntimeFacts& facts, model::FrameTable* frames) : names(facts, frames) {}

    uint64_t begin_ns = 0;
    names::MethodNames names;
    std::vector<art::RuntimeThread> threads;
    std::vector<Subject> subjects;
    std::vector<core::RawFrame> walked;
    model::ThreadStacks found;
  };

  void CheckAll(Round* round) const;
  void FollowMain(Round* round);
  void TakeRest(Round* round);
  // False if the thread runs.
  bool SampleBlocked(Subject* subject, Round* round);
  void AskRunning(Round* round);
  bool Ask(Subject* subject);
  void TakeAnswers(Round* round);
  void Withdraw();
  void NameRemaining(Round* round) const;

  model::ThreadStack Describe(const Subject& subject, uint8_t state) const;
  bool IsInObjectWait(const model::ThreadStack& described) const;
  void Add(const core::StackRequests::Stack& stack, Subject* subject, model::ThreadStack* described,
           Round* round) const;

  Setup setup_ = {};
  ThreadLook look_;
  native::LibraryList libraries_;
  Request requests_[core::StackRequests::kSurveySlots];
};

}  // namespace stillframe::sampling
