// SPDX-License-Identifier: Apache-2.0
// The run of quick messages and the pause that are not handed over yet.
//
// Problem: the collector reads them for a dump while the thread runs, or hangs.
// Rule: they are written between two stores of `version_`, which is odd meanwhile. Each store is a
// release, so none comes before the one that makes it odd. A reader retries until it finds the same
// even version before and after. Its loads are acquires, so none comes before the first.
// Remaining risk: a thread stopped in between would block the reader. After kMaxReadings the reader
// finds nothing open; the next dump has it.
// Context: the watched thread; Read: collector
#pragma once

#include <atomic>
#include <cstdint>

#include <stillframe/token.h>

#include "src/tap/ended_queue.h"

namespace stillframe::tap {

class OpenRun {
 public:
  static constexpr uint32_t kMaxReadings = 10'000;

  struct QuickMessage {
    Token token;
    uint64_t start_ns;
    uint64_t start_cpu_ns;
    uint64_t end_ns;
    uint64_t wall_ns;
    uint32_t group;
  };
  void Add(const QuickMessage& message) {
    const uint64_t version = BeginWrite();
    const uint64_t messages = messages_.load(kRelaxed);
    if (messages == 0) {
      start_ns_.store(message.start_ns, kRelease);
      start_cpu_ns_.store(message.start_cpu_ns, kRelease);
      group_.store(message.group, kRelease);
      work_ns_.store(message.wall_ns, kRelease);
    } else {
      work_ns_.store(work_ns_.load(kRelaxed) + message.wall_ns, kRelease);
    }
    token_.store(message.token, kRelease);
    end_ns_.store(message.end_ns, kRelease);
    messages_.store(messages + 1, kRelease);
    version_.store(version + 2, kRelease);
  }
  void SetIdle(uint64_t start_ns, uint64_t end_ns) {
    const uint64_t version = BeginWrite();
    idle_start_ns_.store(start_ns, kRelease);
    idle_end_ns_.store(end_ns, kRelease);
    version_.store(version + 2, kRelease);
  }

  bool has_run() const { return messages_.load(kRelaxed) > 0; }
  bool has_idle() const { return idle_end_ns_.load(kRelaxed) != 0; }
  // Moves the run or the pause into its slot.
  void TakeRun(uint64_t end_cpu_ns, EndedMessage* to);
  void TakeIdle(EndedMessage* to);

  OpenHistory Read() const;

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;
  static constexpr auto kRelease = std::memory_order_release;
  static constexpr auto kAcquire = std::memory_order_acquire;

  uint64_t BeginWrite() {
    const uint64_t version = version_.load(kRelaxed);
    version_.store(version + 1, kRelaxed);
    return version;
  }

  std::atomic<uint64_t> version_{0};
  std::atomic<Token> token_{Token::kNone};
  std::atomic<uint64_t> start_ns_{0};
  std::atomic<uint64_t> end_ns_{0};
  std::atomic<uint64_t> work_ns_{0};
  std::atomic<uint64_t> start_cpu_ns_{0};
  std::atomic<uint64_t> messages_{0};  // 0: no run
  std::atomic<uint64_t> group_{0};
  std::atomic<uint64_t> idle_start_ns_{0};
  std::atomic<uint64_t> idle_end_ns_{0};  // 0: no pause
};

}  // namespace stillframe::tap
