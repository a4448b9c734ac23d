// SPDX-License-Identifier: Apache-2.0
// What a document of settings does on a device, by the device's own code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/settings/rules.h"

namespace stillframe::verbs {

// The JSON Schema of documents of settings, made from the device's own tables.
std::string DocumentSchema();

// "line 3: trees=0 is ignored: ..." for each thing that a device would leave out, in all rules,
// whether they hold or not.
std::vector<std::string> Problems(std::string_view text);

// One line for each rule and value that never counts, because a later rule takes its place; nothing
// where the text is no document.
std::vector<std::string> Warnings(std::string_view text);

// Which rules hold for `facts`, and what the document sets there, as a table. False if the text is
// no document; then `*out` is one line.
bool ShowInForce(std::string_view text, const settings::Facts& facts, std::string* out);

}  // namespace stillframe::verbs
