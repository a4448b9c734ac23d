// SPDX-License-Identifier: Apache-2.0
// ART 10 and 11 run as Debian built them.
#include "repairs/repairs.h"

namespace stillframe::testbed {

bool RepairArt(std::string*) { return true; }

}  // namespace stillframe::testbed
