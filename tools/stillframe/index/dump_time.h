// SPDX-License-Identifier: Apache-2.0
// When a dump was taken, where the section that says so is lost.
#pragma once

#include "src/model/document.h"

namespace stillframe::index {

// Sets the time of a dump that has none to the end of the latest thing that it knows, and says so
// in `damage`. The running message, if there is one, had lasted until the dump.
void RestoreTime(model::Document* document);

}  // namespace stillframe::index
