// SPDX-License-Identifier: Apache-2.0
// CPU time of the main thread outside messages that counts as activity: it ends an idle sleep of
// the collector, which then checks the tap.
#pragma once

#include <cstdint>

namespace stillframe::collector {

constexpr uint64_t kStirNs = 2'000'000;

}  // namespace stillframe::collector
