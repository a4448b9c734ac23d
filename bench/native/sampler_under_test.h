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

  // Everything the profiler does before its first sample: fault recovery, layout, self-check,
  // handler. A slow message is running from here on. Ends the process with a line when anything
  // does not fit.
  void Prepare(JNIEnv* env);

  stillframe::core::Sampler& sampler() { return sampler_; }
  bool has_copies() const { return copies_.is_on(); }
  const stillframe::walk::RuntimeFacts& facts() const { return facts_; }

  // What the sampler asked the kernel for.
  const struct sigaction& action() const { return action_; }
  // Puts an action in force for SIGPROF, past the signal chain.
  void Use(const struct sigaction& action) const;

  // Takes all samples out of the ring and returns how many there were; each must be whole and
  // `depth` frames deep.
  int DrainWhole(uint32_t depth);
  // The same of stacks deeper than a sample has places for: each must hold both ends, with a marker
  // that says how many of `depth` are left out.
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
