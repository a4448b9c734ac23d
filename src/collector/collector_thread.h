// SPDX-License-Identifier: Apache-2.0
// The collector's thread, and which signals it takes.
// Context: start-up only
#pragma once

namespace stillframe::collector {

// Returns 0 or errno.
int StartCollectorThread(void* (*run)(void*), void* argument);

}  // namespace stillframe::collector
