// SPDX-License-Identifier: Apache-2.0
// The host tool. Exceptions become a line and an exit code.
#include <signal.h>

#include <exception>
#include <iostream>
#include <new>

#include "tools/stillframe/verbs/command_line.h"

int main(int argc, char** argv) {
  signal(SIGXFSZ, SIG_IGN);  // exceeding the file size limit then fails the write
  try {
    return stillframe::verbs::RunCommandLine(argc, argv);
  } catch (const std::bad_alloc&) {
    std::cerr << "stillframe: out of memory; give it a smaller dump\n";
  } catch (const std::exception& error) {
    std::cerr << "stillframe: internal error: " << error.what()
              << "; please report it with the dump\n";
  }
  return 1;
}
