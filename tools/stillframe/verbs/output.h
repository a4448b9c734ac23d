// SPDX-License-Identifier: Apache-2.0
// Where a verb's result goes.
#pragma once

#include <string>
#include <string_view>

namespace stillframe::verbs {

// Writes to `path`, "-" being standard output. A file is written under a temporary name beside it
// and renamed, so that nothing half-written appears under its own name; pipes and devices are
// written directly. Returns an exit code, and complains when it is not kExitFine.
int WriteOutput(const std::string& path, std::string_view content);

// The same for results that nobody wants on a screen: a usage error if `path` is empty and standard
// output is a terminal; else an empty path means standard output.
int WriteDocument(const std::string& path, std::string_view content);

}  // namespace stillframe::verbs
