// SPDX-License-Identifier: Apache-2.0
// The rules of a verdict that look beyond one message; judge.cc says when which is asked.
#pragma once

#include <optional>
#include <string>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/index/window.h"
#include "tools/stillframe/rules/contributors.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::rules {

using MaybeVerdict = std::optional<verdict::Verdict>;

// What all rules look at.
struct Case {
  const index::DumpIndex& index;
  const index::Window& window;
  const Ranking& ranking;
  const Contribution& lead;  // what the sentence is about first
};

MaybeVerdict JudgeWatching(const index::DumpIndex& index);
MaybeVerdict JudgeMemory(const Case& the);
// As evidence, where the verdict is another one.
void TellMemory(const Case& the, verdict::Verdict* verdict);

// Each for a lead of its kind.
verdict::Verdict JudgeFrozen(const Case& the);
verdict::Verdict JudgeBarrier(const Case& the);
verdict::Verdict JudgeStarved(const Case& the);
verdict::Verdict JudgeRuntime(const Case& the);
verdict::Verdict JudgeQuick(const Case& the);
verdict::Verdict JudgeEarlier(const Case& the);
verdict::Verdict JudgeUnexplained(const Case& the);

// Many messages wait that nobody saw run.
bool IsFlooded(const index::DumpIndex& index);

// "1,240 ms (43 %)": of the window.
std::string OfWindow(const Case& the, uint64_t ns);
// "3,000 ms", "last 30,000 ms": what is looked at of the time in which the latest message waited.
std::string WaitedText(const Case& the);
// "Runnable app.Click has been due for 3,000 ms"
std::string LateText(const index::Window& window);

// Adds the ranking; to the sentence the share of what it blames, where that is not most of the
// time, and who took a fifth or more besides. Lowers the confidence where much is not told or has
// no name.
void TellContributors(const Case& the, verdict::Verdict* verdict);

// Tells which of Android's time limits ran out: by the system's own reason, or else by the system's
// message that waits.
// Source: the reasons, AOSP 8 to 16, services/core/java/com/android/server/am/{ActiveServices,
// BroadcastQueue,ContentProviderHelper}.java, job/JobServiceContext.java and, since 14,
// core/java/com/android/internal/os/TimeoutRecord.java; the limits, am/ActivityManagerService.java,
// am/ActiveServices.java and wm/ActivityTaskManagerService.java of 11 where no line says otherwise.
// Empty if no ANR is known of: the system named none, and nothing shows that one was declared.
std::optional<verdict::Anr> FindAnr(const index::DumpIndex& index, const index::Window& window);

// Puts the ANR into the verdict, and a sentence of it into the evidence.
void TellAnr(const index::DumpIndex& index, const index::Window& window, verdict::Verdict* verdict);

}  // namespace stillframe::rules
