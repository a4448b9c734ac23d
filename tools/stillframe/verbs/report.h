// SPDX-License-Identifier: Apache-2.0
// One page of several dumps.
#pragma once

#include <string>
#include <vector>

#include "tools/stillframe/verbs/dump_input.h"

namespace stillframe::verbs {

// What cannot be read is complained about and left out. Returns an exit code; without one readable
// dump nothing is written.
int WriteReportOf(const DumpOptions& options, const std::vector<std::string>& inputs,
                  const std::string& output);

}  // namespace stillframe::verbs
