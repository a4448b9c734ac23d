// SPDX-License-Identifier: Apache-2.0
// What each install is, by these names everywhere: in dumps, records of janks and the host tool.
#pragma once

namespace stillframe::settings {

constexpr const char* kSampled = "sampled";
constexpr const char* kControl = "control";
constexpr const char* kOut = "out";

}  // namespace stillframe::settings
