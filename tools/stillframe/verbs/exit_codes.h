// SPDX-License-Identifier: Apache-2.0
// Exit codes of every verb.
#pragma once

namespace stillframe::verbs {

constexpr int kExitFine = 0;
// Unreadable, unwritable or damaged, lacks the requested item, or exceeds a limit.
constexpr int kExitBadData = 1;
constexpr int kExitUsage = 2;

}  // namespace stillframe::verbs
