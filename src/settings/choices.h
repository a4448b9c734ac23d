// SPDX-License-Identifier: Apache-2.0
// The values of settings that are one of a few words.
#pragma once

namespace stillframe::settings {

// What of the taps may be used; kAuto: the best that can be had.
enum class TapChoice { kAuto, kObserver, kPrinter, kNone };
enum class TimerChoice { kCpu, kWall };

}  // namespace stillframe::settings
