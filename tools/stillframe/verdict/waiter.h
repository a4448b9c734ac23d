// SPDX-License-Identifier: Apache-2.0
// A thread that the main thread waits for, or that another such thread waits for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/model/thread_stacks.h"

namespace stillframe::verdict {

// All texts are clean.
struct Waiter {
  uint32_t tid = 0;
  std::string thread;  // its name
  model::WaitKind wait = model::WaitKind::kNone;
  std::string waits_for;  // "the monitor of app.Store"; "" when nothing is known
  std::string
      own_frame;  // the innermost frame of the application's: "app.Store.save (Store.java:3)"
  std::vector<std::string> stack;  // innermost first
};

// From the main thread to the end, each waits for the next.
struct WaitChain {
  static constexpr size_t kNone = SIZE_MAX;

  std::vector<Waiter> threads;  // the main thread first; empty: it did not wait
  size_t loop = kNone;          // the last one waits for this one: a deadlock
  // Who may end the wait of the last one, where nothing says who does: they run code of its class.
  std::vector<Waiter> candidates;

  bool is_deadlock() const { return loop != kNone; }
};

}  // namespace stillframe::verdict
