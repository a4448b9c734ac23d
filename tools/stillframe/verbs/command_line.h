// SPDX-License-Identifier: Apache-2.0
// The whole command line: stillframe VERB [options] INPUT
#pragma once

namespace stillframe::verbs {

// Runs the command line and returns the exit code. Internal errors are thrown.
int RunCommandLine(int argc, const char* const* argv);

}  // namespace stillframe::verbs
