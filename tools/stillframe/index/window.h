// SPDX-License-Identifier: Apache-2.0
// The time that a verdict is about: how long the latest message has been due, and what used it.
#pragma once

#include <cstdint>
#include <vector>

#include "src/model/document.h"
#include "tools/stillframe/index/dump_index.h"

namespace stillframe::index {

struct WindowShare {
  const model::Message* message;
  uint64_t inside_ns;  // the part of its wall time within the window
  bool is_running;
};

struct Window {
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;  // the dump, or that message's end
  // The message due longest; null if none is late by kLateNs. Without it, the window is that of the
  // longest slow message, or empty.
  const model::PendingMessage* latest = nullptr;
  // The main Looper's slow messages, including the running one, largest share first. A nested
  // message is left out if the outer message includes its time, as in dumps before format 1.2.
  std::vector<WindowShare> slow;
  uint64_t slow_ns = 0;  // sum of `slow`
  // Post time of the barrier at the front of the queue that holds back due messages; 0: none.
  uint64_t barrier_since_ns = 0;

  static constexpr int64_t kLateNs = 1'000'000'000;

  uint64_t length_ns() const { return end_ns - begin_ns; }
  // The running message's share.
  uint64_t running_ns() const;
  // The part of [start, start + span) within the window.
  uint64_t Inside(uint64_t start_ns, uint64_t span_ns) const;
};

// Converts milliseconds from an untrusted dump: clamped to 0 and about 11 days.
uint64_t NsOf(int64_t ms);

// How long a message has been due; 0 if it is not.
uint64_t LateNs(const model::PendingMessage& message);

// `longest` may be null.
Window WindowOf(const DumpIndex& index, const model::Message* longest);

// The window of one message, whose start may be unknown.
Window WindowOfMessage(const DumpIndex& index, const model::Message& message);

// How long the message was ready to run without a CPU. `*is_exact`: by the kernel's count; else
// from samples of a runnable thread whose CPU clock did not move.
uint64_t StarvedNs(const DumpIndex& index, const model::Message& message, bool* is_exact);

// The interval that the table's CPU times cover: the longest row, because a thread that began
// within it has a shorter one.
uint64_t IntervalMs(const model::ThreadTable& table);

// A long gap before this sample, in which the thread's CPU clock hardly moved. False for a
// segment's first sample, because an idle thread is not sampled.
bool MayBeStopped(const model::Message& message, const model::TraceTree& tree,
                  const model::Sample& sample, uint64_t used_us);

// Length of such gaps in a message, although the sampler was on. The process did not run.
uint64_t UnseenNs(const DumpIndex& index, const model::Message& message);

}  // namespace stillframe::index
