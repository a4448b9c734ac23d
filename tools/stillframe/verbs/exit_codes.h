// SPDX-License-Identifier: Apache-2.0
// Exit codes of every verb.
#pragma once

namespace stillframe::verbs {

constexpr int kExitFine = 0;
// Cannot be read or written, damaged, lacks what was asked for, or is above a limit.
constexpr int kExitBadData = 1;
constexpr int kExitUsage = 2;

}  // namespace stillframe::verbs
