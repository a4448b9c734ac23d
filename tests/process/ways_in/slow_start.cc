// SPDX-License-Identifier: Apache-2.0
// Preloaded beside the profiler: the process has no VM for a second more.
#include <unistd.h>

namespace {

[[gnu::constructor]] void OnLoad() { usleep(1'000'000); }

}  // namespace
