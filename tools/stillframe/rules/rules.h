// SPDX-License-Identifier: Apache-2.0
// The rules of a verdict that look beyond one message; judge.cc says when which is asked.
#pragma once

#include <optional>
#include <string>

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

}  // namespace stillframe::rules
