// SPDX-License-Identifier: Apache-2.0
// Shows a settings document's effect on a device, by the device's own code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/settings/rules.h"

namespace stillframe::verbs {

// The JSON Schema of settings documents, from the device's own tables.
std::string DocumentSchema();

// "line 3: trees=0 is ignored: ..." for each part that a device would ignore, in all rules, whether
// they hold or not.
std::vector<std::string> Problems(std::string_view text);

// One line for each rule and value that a later rule always overrides. Empty for an invalid
// document.
std::vector<std::string> Warnings(std::string_view text);

// A table of the rules that hold for `facts`, and of the resulting settings. False for an invalid
// document; then `*out` is one line.
bool ShowInForce(std::string_view text, const settings::Facts& facts, std::string* out);

}  // namespace stillframe::verbs
