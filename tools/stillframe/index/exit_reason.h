// SPDX-License-Identifier: Apache-2.0
// Reasons of ApplicationExitInfo. Source: AOSP 14, android.app.ApplicationExitInfo.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace stillframe::index {

struct ExitReason {
  std::string_view name;
  bool is_by_system = true;  // false: the process ended itself, or by a signal
};

// By their numbers.
constexpr std::array kExitReasons = {ExitReason{"not said", false},
                                     ExitReason{"exit", false},
                                     ExitReason{"signal", false},
                                     ExitReason{"low memory"},
                                     ExitReason{"crash", false},
                                     ExitReason{"native crash", false},
                                     ExitReason{"ANR"},
                                     ExitReason{"initialization failure", false},
                                     ExitReason{"permission change"},
                                     ExitReason{"excessive resource usage"},
                                     ExitReason{"user request"},
                                     ExitReason{"user stopped"},
                                     ExitReason{"dependency died"},
                                     ExitReason{"other", false},
                                     ExitReason{"freezer"},
                                     ExitReason{"package state change"},
                                     ExitReason{"package updated"}};

}  // namespace stillframe::index
