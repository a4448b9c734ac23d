// SPDX-License-Identifier: Apache-2.0
// Faults of a distribution's build of ART that keep it from running, repaired in the memory of this
// process; the package stays as it is. Each bed links one file that defines RepairArt.
#pragma once

#include <string>

namespace stillframe::testbed {

// Called once, before ART starts and while the process has one thread. False, with `problem` saying
// why, when ART is not the build that the repairs are for.
bool RepairArt(std::string* problem);

}  // namespace stillframe::testbed
