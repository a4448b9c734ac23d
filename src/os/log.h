// SPDX-License-Identifier: Apache-2.0
// One clear line to the system log, or to standard error where there is none.
// Context: any thread but a signal handler
#pragma once

namespace stillframe::os {

// Keeps standard error open for Log: programs close it before the exit handlers of a library run.
// Context: start-up only
void KeepLogOpen();

[[gnu::format(printf, 1, 2)]] void Log(const char* format, ...);

}  // namespace stillframe::os
