// SPDX-License-Identifier: Apache-2.0
// Compiles an application's jars ahead of time with dex2oat, into a folder of ours: nothing is
// written beside the jars.
// Context: art-run, before it starts the launcher in a mode that needs it.
#pragma once

#include <string>
#include <vector>

namespace stillframe::testbed {

struct AheadRequest {
  std::string dex2oat;
  std::string emulator;         // The program that runs dex2oat; empty: none.
  std::string instruction_set;  // As ART names it.
  std::string core_jar;
  std::string boot_image;  // Its location, as -Ximage: has it; a file that does not exist: none.
  std::string folder;      // Where the code goes.
  std::vector<std::string> options;
};

// Compiles missing or outdated code. Sets `class_path` (absolute, separated by colons) to links to
// the same jars, because ART looks for a jar's code beside it. On failure returns false and sets
// `problem`.
bool CompileAhead(const AheadRequest& request, std::string* class_path, std::string* problem);

}  // namespace stillframe::testbed
