// SPDX-License-Identifier: Apache-2.0
// The stacks of a cause's examples as one.
#pragma once

#include <string>
#include <vector>

#include "tools/stillframe/fleet/rank.h"
#include "tools/stillframe/input/document_input.h"

namespace stillframe::verbs {

// In collapsed form, with microseconds.
std::string MergedStacks(const std::vector<fleet::Example>& examples,
                         const input::DocumentInput& documents);

// The methods with most time of their own. "": there is none.
std::string SelfTimesText(std::string_view collapsed, size_t examples);

// A flame graph of `collapsed`. "": it has no stack.
std::string FlameOfStacks(const std::string& collapsed, const std::string& title,
                          const std::string& subtitle);

}  // namespace stillframe::verbs
