// SPDX-License-Identifier: Apache-2.0
// What a contributor is called, so that "... took 1,500 ms" can follow.
#pragma once

#include <string>
#include <string_view>

#include "tools/stillframe/rules/contributors.h"

namespace stillframe::rules {

// `messages` is how many messages it was in.
std::string ContributionText(const index::DumpIndex& index, const Contribution& entry,
                             uint64_t messages);

// "java.lang.Object.wait called from app.A.take (A.java:40)"; "" without samples.
std::string Where(const index::DumpIndex& index, const Contribution& entry);

// "waiting for the garbage collector", "collecting garbage"; "" where its samples do not tell that.
std::string_view CollectorText(const Contribution& entry);

// "1,240 quick messages, among them Runnable app.Tick"
std::string QuickText(const model::HistoryRecord& last, uint64_t messages);

}  // namespace stillframe::rules
