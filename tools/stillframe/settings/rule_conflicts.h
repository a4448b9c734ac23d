// SPDX-License-Identifier: Apache-2.0
// Rules of a document that never count, because a later one takes their place wherever they hold.
//
// Only what is certain is said: a condition implies another one by its own value alone, and a rule
// or a value that a device would ignore takes nobody's place.
#pragma once

#include <string>
#include <vector>

#include "src/remote/document.h"

namespace stillframe::settings {

// A line each: "rule 1: trees=7 never counts: rule 3 has the same conditions, and sets it to 9".
std::vector<std::string> RuleConflicts(const remote::Document& document);

}  // namespace stillframe::settings
