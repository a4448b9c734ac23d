// SPDX-License-Identifier: Apache-2.0
// The time that a verdict is about: how long the latest message has been due, and who used it.
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
  uint64_t end_ns = 0;  // the dump
  // The message that has been due the longest; null if none has for kLateNs or more. The window is
  // then that of the longest slow message, or empty.
  const model::PendingMessage* latest = nullptr;
  // The main Looper's slow messages, running one included, the largest share first. A nested one
  // is not among them where the message around it has its time, as in dumps before format 1.2.
  std::vector<WindowShare> slow;
  uint64_t slow_ns = 0;  // of all of these
  // When the barrier was posted that stands at the front of the queue and holds back what is due;
  // 0 if none does.
  uint64_t barrier_since_ns = 0;

  static constexpr int64_t kLateNs = 1'000'000'000;

  uint64_t length_ns() const { return end_ns - begin_ns; }
  // The share of the running message.
  uint64_t running_ns() const;
  // The part of [start, start + span) that lies in the window.
  uint64_t Inside(uint64_t start_ns, uint64_t span_ns) const;
};

// Milliseconds of a dump, which may say anything: 0 to some days.
uint64_t NsOf(int64_t ms);

// How long a message has been due; 0 for one that is not.
uint64_t LateNs(const model::PendingMessage& message);

// `longest` may be null.
Window WindowOf(const DumpIndex& index, const model::Message* longest);

// The window of one message, whose start may be unknown.
Window WindowOfMessage(const DumpIndex& index, const model::Message& message);

// How long the message was ready to run without a CPU: as the kernel says, else by samples of a
// runnable thread whose CPU clock stood still. `*is_exact` says which.
uint64_t StarvedNs(const DumpIndex& index, const model::Message& message, bool* is_exact);

// What the CPU times of the table are about: rows of threads that began within it have no interval
// of their own.
uint64_t IntervalMs(const model::ThreadTable& table);

// Nobody looked for long before this sample of the message, and the thread's CPU clock stood still.
// A segment's first sample tells nothing: a thread at rest is not looked at.
bool MayBeStopped(const model::Message& message, const model::TraceTree& tree,
                  const model::Sample& sample, uint64_t used_us);

// How long nobody sampled a message although the sampler was on and its CPU clock stood still: the
// process did not run.
uint64_t UnseenNs(const DumpIndex& index, const model::Message& message);

}  // namespace stillframe::index
