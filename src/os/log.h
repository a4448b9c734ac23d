// One clear line to the system log, or to standard error where there is none.
// Context: any thread but a signal handler
#pragma once

namespace stillframe::os {

[[gnu::format(printf, 1, 2)]] void Log(const char* format, ...);

}  // namespace stillframe::os
