// SPDX-License-Identifier: Apache-2.0
// A time for people.
// Context: any thread but a signal handler
#pragma once

#include <cstdint>
#include <string>

namespace stillframe::os {

// Formats seconds since the epoch: "2026-11-24 00:00:00 UTC".
std::string TimeText(uint64_t seconds);

}  // namespace stillframe::os
