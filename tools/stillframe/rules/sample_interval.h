// SPDX-License-Identifier: Apache-2.0
// How often the process was set to be sampled.
#pragma once

#include <cstdint>

#include "src/model/document.h"

namespace stillframe::rules {

// The setting that src/config calls STILLFRAME_INTERVAL_US; its default where the dump does not
// say.
uint64_t SampleIntervalUs(const model::Document& document);

}  // namespace stillframe::rules
