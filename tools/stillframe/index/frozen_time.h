// SPDX-License-Identifier: Apache-2.0
// Time in which the process did not run, as the recorder saw it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/model/document.h"

namespace stillframe::index {

struct TimeSpan {
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;
  uint64_t length_ns() const { return end_ns - begin_ns; }
};

// The main Looper's spans: ordered, without overlap.
std::vector<TimeSpan> FrozenSpans(const model::Document& document);

// The part of `span` that `others` cover, which do not overlap.
uint64_t OverlapNs(const TimeSpan& span, std::span<const TimeSpan> others);

// Takes frozen time out of the weights of samples, so that no method has it.
void TakeOutFrozenTime(model::Document* document);

}  // namespace stillframe::index
