// SPDX-License-Identifier: Apache-2.0
// The rules of a verdict that look beyond one message. Each gives its verdict, or nothing when it
// does not hold; verdict.h has their order.
#pragma once

#include <optional>

#include "tools/stillframe/index/window.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::rules {

using MaybeVerdict = std::optional<verdict::Verdict>;

MaybeVerdict JudgeWatching(const index::DumpIndex& index);
MaybeVerdict JudgeFrozen(const index::DumpIndex& index, const index::Window& window);
MaybeVerdict JudgeBarrier(const index::DumpIndex& index, const index::Window& window);
MaybeVerdict JudgeMemory(const index::DumpIndex& index, const index::Window& window);
MaybeVerdict JudgeStarved(const index::DumpIndex& index, const index::Window& window);
MaybeVerdict JudgeRunning(const index::DumpIndex& index, const index::Window& window);
MaybeVerdict JudgeFlood(const index::DumpIndex& index, const index::Window& window);
MaybeVerdict JudgeEarlier(const index::DumpIndex& index, const index::Window& window);
MaybeVerdict JudgeUnexplained(const index::DumpIndex& index, const index::Window& window);

}  // namespace stillframe::rules
