// SPDX-License-Identifier: Apache-2.0
// Repairs ART in dex2oat's memory before dex2oat's main starts it, as the launcher does in its own.
// Context: linked into dex2oat where the release needs repairs (launcher/repairs).
#include <unistd.h>

#include <cstdio>
#include <string>

#include "repairs/repairs.h"

namespace {

constexpr int kBrokenStatus = 3;

__attribute__((constructor)) void Repair() {
  std::string problem;
  if (!stillframe::testbed::RepairArt(&problem)) {
    std::fprintf(stderr, "dex2oat: %s\n", problem.c_str());
    _exit(kBrokenStatus);
  }
}

}  // namespace
