// SPDX-License-Identifier: Apache-2.0
// Probes the runtime and starts a sampler on the calling thread.
#include "bench/native/sampler_under_test.h"

#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "bench/native/rows.h"
#include "src/art/runtime_probe.h"
#include "src/art/self_check.h"
#include "src/core/clock.h"
#include "src/core/guarded_memory.h"
#include "src/os/proc.h"
#include "src/settings/config.h"
#include "src/tap/tap.h"
#include "src/walk/walk.h"

namespace bench {

namespace sf = stillframe;

SamplerUnderTest& SamplerUnderTest::Get() {
  static auto* sampler = new SamplerUnderTest;  // handlers may outlive main
  return *sampler;
}

void SamplerUnderTest::Verify(JNIEnv* env) {
  JavaVM* vm = nullptr;
  env->GetJavaVM(&vm);
  sf::tap::Tap tap;
  sf::model::Outcome outcome = tap.LoadClasses(env);
  if (!outcome.ok()) Fail(outcome.why);
  const sf::walk::LayoutTable table = sf::walk::KnownLayouts();
  for (uint32_t i = 0; i < table.count; ++i) {
    sf::walk::RuntimeFacts facts;
    outcome = sf::art::ProbeRuntime(table.rows[i], vm, env, &facts);
    if (outcome.ok()) outcome = sf::art::RunSelfCheck(env, tap.self_check(), &facts);
    if (outcome.ok()) {
      facts_ = facts;
      return;
    }
  }
  Fail("no known layout fits: " + outcome.why);
}

void SamplerUnderTest::Prepare(JNIEnv* env) {
  kernel_sigaction_ = sf::os::KernelSigaction();
  if (kernel_sigaction_ == nullptr || sf::core::InstallFaultRecovery(kernel_sigaction_) != 0)
    Fail("no fault recovery");
  Verify(env);
  const sf::os::AddressRange stack = sf::os::MainStack();
  facts_.stack_low = stack.begin;
  facts_.stack_high = stack.end;
  watched_.tid = getpid();
  watched_.runtime_thread = sf::art::RuntimeThreadOf(*facts_.layout, env);
  watched_.message.Publish(sf::Token{1}, sf::core::MonotonicNs() - 1'000'000'000, 0);
  const sf::settings::Config config;
  // A usual stack. STILLFRAME_NATIVE=1 copies more of a deep one.
  constexpr uint32_t kCopiedBytes = 16 << 10;
  sf::core::StackCopies* const copies = getenv("BENCH_COPIES") != nullptr ? &copies_ : nullptr;
  if (copies != nullptr && !copies_.Create({kCopiedBytes, 32 * kCopiedBytes, facts_.stack_low,
                                            facts_.stack_high, facts_.managed_stack}))
    Fail("no memory for copies");
  if (sampler_.Start({sf::walk::WalkManagedStack, &facts_, &watched_,
                      sf::settings::Ns(config.slow_ms), config.max_depth,
                      size_t{config.ring_kib} * 1024, kernel_sigaction_, copies}) != 0)
    Fail("the sampler does not start");
  kernel_sigaction_(SIGPROF, nullptr, &action_);
}

void SamplerUnderTest::Use(const struct sigaction& action) const {
  if (kernel_sigaction_(SIGPROF, &action, nullptr) != 0) Fail("SIGPROF's handler cannot be set");
}

void* SamplerUnderTest::Ask() {
  sf::core::StackRequests::Thread thread;
  thread.walker = &facts_;
  thread.runtime_thread = watched_.runtime_thread;
  thread.stack_low = facts_.stack_low;
  thread.stack_high = facts_.stack_high;
  void* const cookie = sampler_.AskForStack(0, thread);
  if (cookie == nullptr) Fail("no request for a stack can be made");
  return cookie;
}

void SamplerUnderTest::ExpectAnswer(uint32_t depth) {
  sf::core::StackRequests::Stack stack;
  if (!sampler_.ReadStack(0, &stack) || stack.depth != depth ||
      stack.truncation != sf::core::Truncation::kNone)
    Fail("a request for a stack has no whole answer");
  sampler_.WithdrawStack(0);
}

int SamplerUnderTest::DrainWhole(uint32_t depth) {
  int count = 0;
  sf::core::RawSample sample;
  while (sampler_.Peek(&sample)) {
    if (sample.depth != depth || sample.truncation != sf::core::Truncation::kNone) {
      Fail("a sample has " + std::to_string(sample.depth) + " frames and not " +
           std::to_string(depth) + ", truncated: " + sf::core::TruncationName(sample.truncation));
    }
    sampler_.Release(sample);
    ++count;
  }
  if (!copies_.is_on()) return count;
  const uintptr_t* words = nullptr;
  int copied = 0;
  for (; copies_.Peek(&words) != nullptr; ++copied) copies_.Release();
  if (copied != count)
    Fail("of " + std::to_string(count) + " samples " + std::to_string(copied) +
         " have a copy of their stack");
  return count;
}

// The marker holds the number of omitted frames.
void SamplerUnderTest::ExpectBothEnds(const sf::core::RawSample& sample, uint32_t depth) {
  const uint32_t outermost = sf::core::FrameSink::OutermostOf(sf::settings::Config().max_depth);
  const uint32_t marker = sample.depth < outermost ? 0 : sample.depth - outermost - 1;
  const sf::core::RawFrame& frame = sampler_.FrameAt(marker);
  if (sample.truncation != sf::core::Truncation::kDepthLimit ||
      frame.kind != sf::core::RawFrameKind::kTruncated || frame.dex_pc == sf::core::kNoDexPc ||
      frame.dex_pc + sample.depth - 1 != depth) {
    Fail("a sample of " + std::to_string(depth) + " frames holds " + std::to_string(sample.depth) +
         " and leaves out " + std::to_string(frame.dex_pc) +
         ", truncated: " + sf::core::TruncationName(sample.truncation));
  }
}

int SamplerUnderTest::DrainDeep(uint32_t depth) {
  int count = 0;
  sf::core::RawSample sample;
  for (; sampler_.Peek(&sample); ++count) {
    ExpectBothEnds(sample, depth);
    sampler_.Release(sample);
  }
  return count;
}

}  // namespace bench
