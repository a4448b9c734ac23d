// SPDX-License-Identifier: Apache-2.0
// Writes one line to the system log; without one, to standard error.
// Context: any thread but a signal handler
#pragma once

#include <atomic>
#include <cstdint>

namespace stillframe::os {

// Keeps standard error open for Log, since programs close it before a library's exit handlers run.
// Context: start-up only
void KeepLogOpen();

// Limits the lines a minute, so that recurring events, such as a settings file that is rewritten
// all the time, do not fill the log. Context: any thread but a signal handler
class LogBudget {
 public:
  static constexpr uint32_t kMostLines = 100;
  static constexpr uint64_t kPeriodNs = 60'000'000'000;

  // Whether one more line may be written. `*left_out`, with the first line of a period: the number
  // of suppressed lines.
  bool Spend(uint64_t now_ns, uint32_t* left_out);

 private:
  // Without a lock, which the child of a fork might find taken. Two threads may write one line too
  // many.
  std::atomic<uint64_t> period_ns_{0};
  std::atomic<uint32_t> lines_{0};
  std::atomic<uint32_t> left_out_{0};
};

// At most LogBudget::kMostLines a minute.
[[gnu::format(printf, 1, 2)]] void Log(const char* format, ...);

}  // namespace stillframe::os
