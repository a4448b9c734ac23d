// SPDX-License-Identifier: Apache-2.0
// A real thread to watch, real timers and signals, the collector's loop; only the walker is ours.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "src/core/clock.h"
#include "src/dump/writer.h"
#include "src/sampling/slow_message_watch.h"
#include "tests/unit/counted.h"
#include "tests/unit/dump/read_dump_file.h"
#include "tests/unit/tap/usual_limits.h"

namespace stillframe::sampling {

using os::kNsPerMs;

inline constexpr uint64_t kSlowNs = 50 * kNsPerMs;
inline constexpr uint64_t kIntervalNs = 10 * kNsPerMs;
inline constexpr uint8_t kRunnable = 67;  // ART 11
inline constexpr uint8_t kSleeping = 69;

// As much of an art::Thread as the watch reads.
inline std::atomic<uint8_t> g_thread[4];
inline std::atomic<uint8_t>& g_state = g_thread[walk::KnownLayouts().rows->thread_state];
inline std::atomic<uint64_t> g_method{0};  // that the thread is in; 0: not known

inline uint8_t FakeWalk(const void*, uintptr_t, const arch::Registers*, core::FrameSink* sink) {
  const uint8_t state = g_state;
  if (const uint64_t method = g_method; method != 0) {
    sink->Push(method, core::kNoDexPc, core::RawFrameKind::kJni);
    return state;
  }
  const auto frame =
      state == kSleeping ? core::Truncation::kNoFrames : core::Truncation::kBadMethod;
  sink->Push(static_cast<uint64_t>(frame), core::kNoDexPc, core::RawFrameKind::kTruncated);
  return state;
}

// The sampler lives as long as the process; each case gives it another thread to watch.
inline core::WatchedThread& Watched() {
  static auto* thread = new core::WatchedThread;
  return *thread;
}
inline core::Sampler& TheSampler() {
  static core::Sampler* sampler = [] {
    auto* made = new core::Sampler;
    EXPECT_EQ(made->Start({FakeWalk, nullptr, &Watched(), kSlowNs, 16, 65'536, sigaction}), 0);
    return made;
  }();
  return *sampler;
}

// CPU time: a busy machine makes it last longer.
inline void BurnNs(uint64_t ns) {
  g_state = kRunnable;
  const uint64_t until = core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID) + ns;
  while (core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID) < until) {
  }
}

// False when the sleep was interrupted or too short.
inline bool SleepNs(uint64_t ns) {
  g_state = kSleeping;
  const uint64_t begin_ns = core::MonotonicNs();
  const timespec time{0, static_cast<long>(ns)};
  const bool whole = nanosleep(&time, nullptr) == 0 && core::MonotonicNs() - begin_ns >= ns;
  g_state = kRunnable;
  return whole;
}

class SlowMessageCase : public testing::Test {
 protected:
  SlowMessageCase() {
    g_state = kRunnable;
    Watched().runtime_thread = reinterpret_cast<uintptr_t>(&g_thread);
  }

  // Runs `messages` on a thread of its own, as the main thread, and the collector's loop here.
  void Run(const std::function<void()>& messages) {
    core::Sampler& sampler = TheSampler();
    std::atomic<bool> is_set_up{false};
    std::atomic<int32_t> tid{0};
    std::atomic<bool> done{false};
    std::thread main_thread([&] {
      tid = gettid();
      while (!is_set_up) std::this_thread::yield();
      messages();
      done = true;
      while (is_set_up) std::this_thread::yield();  // the timer needs its thread
    });
    while (tid == 0) std::this_thread::yield();
    Watched().tid = tid;
    recorder_->Start({&Watched(), tap::kLimits, &wake_up_, nullptr});
    watch_.WatchRunQueue(tid);
    ASSERT_EQ(watch_.Start({&sampler, recorder_.get(), &trees_, &native_, &history_, nullptr,
                            kSlowNs, kIntervalNs, 16, false}),
              0);
    samples_before_ = sampler.samples();
    is_set_up = true;
    while (!done) {
      const auto next = watch_.Tick(core::MonotonicNs() - clock_behind_ns_);
      const timespec time{0, static_cast<long>(std::min(next.in_ns, kSlowNs))};
      nanosleep(&time, nullptr);
    }
    watch_.Tick(core::MonotonicNs());
    watch_.Disarm();
    is_set_up = false;
    main_thread.join();
  }

  void Message(const std::function<void()>& body) {
    recorder_->Begin();
    body();
    if ((recorder_->End() & tap::Recorder::kDescribe) != 0)
      recorder_->Describe("com.example.H", "", 1, 0, false);
  }

  uint64_t SignalSamples() const { return TheSampler().samples() - samples_before_; }
  std::vector<model::Message> SlowMessages() const {
    auto messages = history_.Messages();
    for (model::Message& message : messages)
      if (trees_.HasKept(message.token)) message.flags |= model::kMessageHasTree;
    return messages;
  }

  // The only kept tree, as a reader of the dump sees it.
  model::TraceTree KeptTree() {
    EXPECT_EQ(trees_.kept().size(), 1U);
    const std::vector<const dump::EncodedTree*> trees = {trees_.kept().front().get()};
    const std::string path = testing::TempDir() + "watch_" + std::to_string(getpid()) + ".sfdump";
    EXPECT_TRUE(writer_.WriteDump({}, {&frames_, trees}, path.c_str()).ok());
    dump::ReadResult read = dump::ReadDumpFile(path.c_str());
    unlink(path.c_str());
    EXPECT_TRUE(read.ok()) << read.error;
    return std::move(read.document.trees.at(0));
  }

  uint64_t clock_behind_ns_ = 0;  // the collector reads the clock, then looks at the message
  tap::WakeUpRequest wake_up_;
  std::unique_ptr<tap::Recorder> recorder_ = std::make_unique<tap::Recorder>();
  model::FrameTable frames_;
  dump::Writer writer_;
  walk::RuntimeFacts facts_{.layout = walk::KnownLayouts().rows};
  Counted counted_;
  native::FileSymbols file_symbols_;
  native::NativeFrames native_{facts_, &frames_, &file_symbols_};
  TreeBuilder trees_{{100 * kNsPerMs, 10, 1 << 20}, facts_, &frames_, &native_, &writer_};
  history::History history_{{.groups = 10, .records = 50, .messages = 16}, tap::kLimits, &frames_};
  SlowMessageWatch watch_;
  uint64_t samples_before_ = 0;
};

inline uint64_t WeightUs(const model::TraceTree& tree, model::ThreadState state) {
  uint64_t sum = 0;
  for (const model::Sample& sample : tree.samples())
    sum += sample.state == state ? sample.weight_us : 0;
  return sum;
}

inline uint64_t WeightUs(const model::TraceTree& tree) {
  uint64_t sum = 0;
  for (const model::Sample& sample : tree.samples()) sum += sample.weight_us;
  return sum;
}

}  // namespace stillframe::sampling
