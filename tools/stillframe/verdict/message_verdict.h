// The verdict on one message, from its samples.
#pragma once

#include <string>

#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::verdict {

// From here on a message is slow, and one that still runs is to blame for itself.
constexpr int64_t kSlowNs = 50'000'000;
constexpr int64_t kLongNs = 1'000'000'000;

Verdict JudgeMessage(const Case& evidence, const model::Message& message);

// "Runnable fixture.Main$1, mostly in fixture.Decimal.multiply (Decimal.java:23)": the message, and
// the method if its samples name one.
std::string MessageAndMethod(const Case& evidence, const model::Message& message);

bool IsSamplerOn(const model::Document& document);
// "the sampler was off: why"
std::string SamplerOff(const model::Document& document);

}  // namespace stillframe::verdict
