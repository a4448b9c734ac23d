// SPDX-License-Identifier: Apache-2.0
// The one instance.
#include "src/collector/process.h"

#include <stdlib.h>

namespace stillframe::collector {

Collector& OfProcess() {
  static auto* collector = new Collector;
  return *collector;
}

stillframe_status StartInProcess() {
  return OfProcess().Start([] { OfProcess().ForgetInChild(); });
}

void WatchForExit() {
  atexit([] { OfProcess().AtExit(); });
}

}  // namespace stillframe::collector
