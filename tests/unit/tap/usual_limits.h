// SPDX-License-Identifier: Apache-2.0
// The profiler's default limits.
#pragma once

#include "src/os/duration.h"
#include "src/tap/recorder.h"

namespace stillframe::tap {

using os::kNsPerMs;

inline constexpr HistoryLimits kLimits = {50 * kNsPerMs, 30 * kNsPerMs, 300 * kNsPerMs,
                                          1'000 * kNsPerMs};

}  // namespace stillframe::tap
