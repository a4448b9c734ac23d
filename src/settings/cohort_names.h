// SPDX-License-Identifier: Apache-2.0
// Names of the cohorts, the same in dumps, jank records and the host tool.
#pragma once

namespace stillframe::settings {

constexpr const char* kSampled = "sampled";
constexpr const char* kControl = "control";
constexpr const char* kOut = "out";

}  // namespace stillframe::settings
