// SPDX-License-Identifier: Apache-2.0
// Shows a settings document's effect on a device, by the device's own code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stillframe::verbs {

// The JSON Schema of settings documents, from the device's own tables.
std::string DocumentSchema();

// "line 3: trees=0 is ignored: ..." for each part that a device would ignore, whether the install
// is in the cohort or not.
std::vector<std::string> Problems(std::string_view text);

// One line for each setting that a document cannot widen, and for a cohort of no install. Empty for
// an invalid document.
std::vector<std::string> Warnings(std::string_view text);

// A table of the settings that the document gives this install. False for an invalid document; then
// `*out` is one line.
bool ShowInForce(std::string_view text, std::string_view install_id, std::string* out);

}  // namespace stillframe::verbs
