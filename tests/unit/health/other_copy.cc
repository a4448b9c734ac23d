// SPDX-License-Identifier: Apache-2.0
// A library with a copy of its own: src/health/only_copy.cc is linked into it once more.
#include <string>

#include "src/health/only_copy.h"

extern "C" [[gnu::visibility("default")]] bool other_copy_claims() {
  return stillframe::os::ClaimProcess().empty();
}

extern "C" [[gnu::visibility("default")]] void other_copy_releases() {
  stillframe::os::ReleaseProcess();
}
