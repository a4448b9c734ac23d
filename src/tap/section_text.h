// SPDX-License-Identifier: Apache-2.0
// Reads what libcutils writes to the trace marker (AOSP 8 to 16, libcutils/trace-dev.cpp).
// Context: collector
#pragma once

#include <optional>
#include <string_view>

#include "src/model/trace_sections.h"

namespace stillframe::tap {

// Whether this may be one, by its beginning. Context: any thread
bool IsSectionText(std::string_view text);

// Empty when it is none. The time is the caller's to set.
std::optional<model::TraceEvent> ParseSectionText(std::string_view text);

}  // namespace stillframe::tap
