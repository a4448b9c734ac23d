// SPDX-License-Identifier: Apache-2.0
// The traces that ART's Signal Catcher prints for a SIGQUIT, copied into the dump for it.
//
// The Signal Catcher begins while the dump is written, and its traces may take seconds: they are
// added when both are there.
#pragma once

#include <string>

#include "src/core/waker.h"
#include "src/dump/writer.h"

namespace stillframe::collector {

class CatcherTraces {
 public:
  // Replaces the function by which the Signal Catcher hands out its traces, where that is wanted
  // and possible; each copy wakes the collector by `waker`. At start-up only.
  void HookSignalCatcher(bool is_wanted, const core::Waker* waker);

  // Why the dump written now has no traces.
  std::string WhyAbsent() const;

  // The traces of the SIGQUIT of this number are wanted. Those of an earlier one that were not
  // taken are dropped.
  void Expect(unsigned arrival);
  // They belong to the dump at `path`.
  void BelongTo(const std::string& path);
  // Adds traces that have come to their dump.
  void AddToDump(dump::Writer* writer);

 private:
  std::string absent_;  // why the Signal Catcher is not heard; "": it is
  std::string path_;    // the dump that waits for its traces; "": none does
};

}  // namespace stillframe::collector
