// SPDX-License-Identifier: Apache-2.0
// Settings whose value is one of a few words.
#pragma once

namespace stillframe::settings {

// Which tap to use. kAuto: the best available.
enum class TapChoice { kAuto, kObserver, kPrinter, kProbe, kNone };
enum class TimerChoice { kCpu, kWall };

}  // namespace stillframe::settings
