// SPDX-License-Identifier: Apache-2.0
// The profiler's own sampler and walker with verified facts, in this process, watching the main
// thread. Context: main thread
#pragma once

#include <jni.h>
#include <signal.h>

#include "src/core/sampler.h"
#include "src/os/signal_action.h"
#include "src/walk/runtime_facts.h"

namespace bench {

class SamplerUnderTest {
 public:
  static SamplerUnderTest& Get();

  // Does everything that precedes the profiler's first sample: fault recovery, layout, self-check,
  // handler. From here on a slow message is running. Ends the process with a message if a check
  // fails.
  void Prepare(JNIEnv* env);

  stillframe::core::Sampler& sampler() { return sampler_; }
  bool has_copies() const { return copies_.is_on(); }
  const stillframe::walk::RuntimeFacts& facts() const { return facts_; }

  // The action that the sampler installed.
  const struct sigaction& action() const { return action_; }
  // Installs an action for SIGPROF, bypassing the signal chain.
  void Use(const struct sigaction& action) const;

  // Asks this thread for its stack, as one other than the main thread is asked. Returns the cookie
  // of the signal.
  void* Ask();
  // Withdraws the request, whose answer must be complete and `depth` frames deep.
  void ExpectAnswer(uint32_t depth);

  // Drains the ring and returns the number of samples. Each must be complete and `depth` frames
  // deep.
  int DrainWhole(uint32_t depth);
  // The same for stacks deeper than a sample's places. Each must hold both ends, and a marker with
  // the number of omitted frames of `depth`.
  int DrainDeep(uint32_t depth);

 private:
  void Verify(JNIEnv* env);
  void ExpectBothEnds(const stillframe::core::RawSample& sample, uint32_t depth);

  stillframe::core::SigactionFunction kernel_sigaction_ = nullptr;
  stillframe::walk::RuntimeFacts facts_;
  stillframe::core::WatchedThread watched_;
  stillframe::core::StackCopies copies_;
  stillframe::core::Sampler sampler_;
  struct sigaction action_ = {};
};

}  // namespace bench
