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
  bool is_timed = false;  // its wait ends by itself
  std::string waits_for;  // "the monitor of app.Store"; "" when nothing is known
  std::string
      own_frame;  // the innermost frame of the application's: "app.Store.save (Store.java:3)"
  std::vector<std::string> stack;  // innermost first
};

// From the main thread to the end, each waits for the next.
struct WaitChain {
  static constexpr size_t kNone = SIZE_MAX;

  std::vector<Waiter> threads;  // the main thread first; empty: it did not wait
  size_t loop = kNone;          // the last one waits for this one
  // Who may end the wait of the last one, where nothing says who does: they run code of its class.
  std::vector<Waiter> candidates;

  // What the last one may wait for in the main thread's queue, by its name: "Runnable app.Save$1";
  // "" when nothing there tells.
  std::string in_queue;

  bool is_circle() const { return loop != kNone; }
  // A circle in which one wait ends by itself is none.
  bool is_deadlock() const { return is_circle() && !is_timed_circle(); }
  bool is_timed_circle() const {
    for (size_t i = loop; i < threads.size(); ++i)
      if (threads[i].is_timed) return true;
    return false;
  }
};

}  // namespace stillframe::verdict
