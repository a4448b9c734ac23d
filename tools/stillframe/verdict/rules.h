// The rules of a verdict that look beyond one message. Each gives its verdict, or nothing when it
// does not hold; verdict.h has their order.
#pragma once

#include <optional>

#include "tools/stillframe/verdict/verdict.h"
#include "tools/stillframe/verdict/window.h"

namespace stillframe::verdict {

using MaybeVerdict = std::optional<Verdict>;

MaybeVerdict JudgeWatching(const Case& evidence);
MaybeVerdict JudgeFrozen(const Case& evidence, const Window& window);
MaybeVerdict JudgeBarrier(const Case& evidence, const Window& window);
MaybeVerdict JudgeMemory(const Case& evidence, const Window& window);
MaybeVerdict JudgeStarved(const Case& evidence, const Window& window);
MaybeVerdict JudgeRunning(const Case& evidence, const Window& window);
MaybeVerdict JudgeFlood(const Case& evidence, const Window& window);
MaybeVerdict JudgeEarlier(const Case& evidence, const Window& window);
MaybeVerdict JudgeUnexplained(const Case& evidence, const Window& window);

}  // namespace stillframe::verdict
