// SPDX-License-Identifier: Apache-2.0
// Where the one collector of the process lives, and what the process's forks and end do to it.
// Context: any thread but a signal handler
#pragma once

#include "src/collector/collector.h"

namespace stillframe::collector {

// Never destroyed: signal handlers may outlive main.
Collector& OfProcess();

// As stillframe_start.
stillframe_status StartInProcess();

// Writes the dump that may be wanted when the process exits, from its exit handlers.
void WatchForExit();

}  // namespace stillframe::collector
