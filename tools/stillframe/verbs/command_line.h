// SPDX-License-Identifier: Apache-2.0
// The whole command line: stillframe VERB [options] INPUT
#pragma once

namespace stillframe::verbs {

// Does what the arguments say and returns the exit code. What goes wrong inside is thrown.
int RunCommandLine(int argc, const char* const* argv);

}  // namespace stillframe::verbs
