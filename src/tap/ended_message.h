// SPDX-License-Identifier: Apache-2.0
// What the watched thread hands over to the collector.
// Context: any thread
#pragma once

#include <cstddef>
#include <cstdint>

namespace stillframe::tap {

enum class EndedKind : uint8_t {
  kMessage,   // one message that was not quick
  kQuickRun,  // consecutive quick messages, merged
  kIdle,      // the looper had nothing to do, for long
  kSegment,   // the thread was in no message and not in the poll; the collector's own
};

struct EndedMessage {
  static constexpr size_t kNameBytes = 160;

  EndedKind kind;
  uint64_t token;     // of the last message
  uint64_t start_ns;  // CLOCK_MONOTONIC
  uint64_t end_ns;
  uint64_t work_ns;       // end minus start, of a run the sum of its messages
  uint64_t start_cpu_ns;  // CLOCK_THREAD_CPUTIME_ID
  uint64_t end_cpu_ns;
  int64_t wait_ns;  // -1: not known
  uint64_t messages;
  uint32_t group;  // messages of one number make a group
  int32_t what;
  uint32_t flags;  // dump::kMessage*
  char target[kNameBytes];
  char callback[kNameBytes];
};

// A frame of the Choreographer that ended.
struct EndedFrame {
  uint64_t token;
  uint64_t due_ns;  // the refresh it was made for; the start where nobody knows it
  uint64_t start_ns;
  uint64_t end_ns;
  bool is_due_known = true;
};

// What is not handed over yet, for a dump while the thread hangs.
struct OpenHistory {
  EndedMessage run;  // messages 0: none
  uint64_t idle_start_ns;
  uint64_t idle_end_ns;  // 0: none
};

}  // namespace stillframe::tap
