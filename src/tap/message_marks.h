// SPDX-License-Identifier: Apache-2.0
// Marks of a message at its begin and end, without a system call: token, CPU time, group of work.
#pragma once

#include <time.h>

#include <atomic>
#include <cstdint>

#include <stillframe/token.h>

#include "src/core/clock.h"

namespace stillframe::tap {

// Tokens, taken in blocks: no two messages of a process share one.
class Tokens {
 public:
  static constexpr uint64_t kBlock = 1U << 16;

  // Counter from which recorders take blocks; null: this recorder is the only one.
  void Start(std::atomic<uint64_t>* source) {
    source_ = source;
    if (source_ != nullptr) TakeBlock();
  }
  Token Next() {
    if (next_ == limit_) TakeBlock();
    return Token{next_++};
  }

 private:
  void TakeBlock() {
    next_ = source_->fetch_add(kBlock, std::memory_order_relaxed);
    limit_ = next_ + kBlock;
  }

  std::atomic<uint64_t>* source_ = nullptr;
  uint64_t next_ = 1;
  uint64_t limit_ = UINT64_MAX;
};

// The thread's CPU clock, read at most once per kMarkNs and extrapolated in between. Too large by
// the time that the thread did not run meanwhile.
class CpuMark {
 public:
  static constexpr uint64_t kMarkNs = 2'000'000;

  uint64_t CpuNsAt(uint64_t now_ns) {
    if (now_ns - wall_ns_ >= kMarkNs) Read(now_ns);
    return cpu_ns_ + (now_ns - wall_ns_);
  }

 private:
  [[gnu::noinline]] void Read(uint64_t now_ns) {
    cpu_ns_ = core::CpuClockNs(CLOCK_THREAD_CPUTIME_ID);
    wall_ns_ = now_ns;
  }

  uint64_t cpu_ns_ = 0;
  uint64_t wall_ns_ = 0;
};

// Groups with a fixed amount of work, of outermost messages by the order of their ends. A message
// as long as a group begins a new one.
class WorkGroups {
 public:
  void Start(uint64_t group_ns) { group_ns_ = group_ns; }

  uint32_t current() const { return group_; }
  // True if the group is full: the next message begins a new one.
  bool Add(uint64_t wall_ns) {
    is_used_ = true;
    work_ns_ += wall_ns;
    if (work_ns_ < group_ns_) return false;
    ++group_;
    work_ns_ = 0;
    is_used_ = false;
    return true;
  }
  // Adds a message with an entry of its own; returns its group.
  uint32_t Place(uint64_t wall_ns) {
    if (wall_ns >= group_ns_ && is_used_) {
      ++group_;
      work_ns_ = 0;
    }
    const uint32_t group = group_;
    Add(wall_ns);
    return group;
  }

 private:
  uint64_t group_ns_ = 0;
  uint64_t work_ns_ = 0;
  uint32_t group_ = 0;
  bool is_used_ = false;
};

}  // namespace stillframe::tap
