// SPDX-License-Identifier: Apache-2.0
// The traces that ART's Signal Catcher prints for a SIGQUIT, copied into the dump for it.
//
// The dump is written before the Signal Catcher begins, and its traces may take seconds: they are
// added when they come.
// Context: collector
#pragma once

#include <string>

#include "src/dump/writer.h"

namespace stillframe::collector {

class CatcherTraces {
 public:
  // Replaces the function by which the Signal Catcher hands out its traces, where that is wanted
  // and possible; each copy wakes the collector by the eventfd `wake_fd`. At start-up only.
  void HookSignalCatcher(bool is_wanted, int wake_fd);

  // Why the dump written now has no traces.
  std::string WhyAbsent() const;

  // The next traces belong to the dump at `path`.
  void Expect(const std::string& path);
  // Adds traces that have come to their dump.
  void AddToDump(dump::Writer* writer);

 private:
  std::string absent_;  // why the Signal Catcher is not heard; "": it is
  std::string path_;    // the dump that waits for its traces; "": none does
};

}  // namespace stillframe::collector
