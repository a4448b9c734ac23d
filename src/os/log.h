// SPDX-License-Identifier: Apache-2.0
// One clear line to the system log, or to standard error where there is none.
// Context: any thread but a signal handler
#pragma once

#include <atomic>
#include <cstdint>

namespace stillframe::os {

// Keeps standard error open for Log: programs close it before the exit handlers of a library run.
// Context: start-up only
void KeepLogOpen();

// A few lines a minute: what happens again and again, as a settings file that is written all the
// time, does not fill the log. Context: any thread but a signal handler
class LogBudget {
 public:
  static constexpr uint32_t kMostLines = 100;
  static constexpr uint64_t kPeriodNs = 60'000'000'000;

  // Whether one more line may be written; with the first of a period, how many were left out.
  bool Spend(uint64_t now_ns, uint32_t* left_out);

 private:
  // Without a lock, which the child of a fork might find taken; two threads may write a line more.
  std::atomic<uint64_t> period_ns_{0};
  std::atomic<uint32_t> lines_{0};
  std::atomic<uint32_t> left_out_{0};
};

// At most LogBudget::kMostLines a minute.
[[gnu::format(printf, 1, 2)]] void Log(const char* format, ...);

}  // namespace stillframe::os
