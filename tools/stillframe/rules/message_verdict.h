// SPDX-License-Identifier: Apache-2.0
// The verdict on one message, from its samples.
#pragma once

#include <optional>
#include <string>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::rules {

// A message that still runs after this is to blame for itself.
constexpr int64_t kLongNs = 1'000'000'000;

// By what its time went to for `cause`, or if that is not given or not there, for its largest one.
// `whose`: see MessagePart; locks are told of all their owners.
verdict::Verdict JudgeMessage(const index::DumpIndex& index, const model::Message& message,
                              std::optional<verdict::Cause> cause = std::nullopt,
                              const std::string& whose = "");

// What the main thread waited for at the dump, where no message was running; none if it waited for
// nothing that its stack tells. One look is no measurement: of low confidence, unless it can never
// end.
std::optional<verdict::Verdict> JudgeWaitOutside(const index::DumpIndex& index);

// "Runnable fixture.Main$1, mostly in fixture.Decimal.multiply (Decimal.java:23)": the message, and
// the method if its samples name one.
std::string MessageAndMethod(const index::DumpIndex& index, const model::Message& message);

// "the sampler was off: why"
std::string SamplerOff(const model::Document& document);

}  // namespace stillframe::rules
