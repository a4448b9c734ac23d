// SPDX-License-Identifier: Apache-2.0
// Changes of a store: an answer is kept under the stamp that the store had, and is stale once
// another is there.
#pragma once

#include <string>

#include "tools/stillframe/fleet/engine.h"
#include "tools/stillframe/fleet/tables.h"

namespace stillframe::fleet {

// Now, in ns since 1970, as the version of a row.
RowVersion NowNs();

// Write a new stamp before and after the store changes. False if the engine failed.
bool BeginChange(Engine* engine);
bool EndChange(Engine* engine);

// The present stamp. "": the store is empty, or cannot be read.
std::string StampOf(Engine* engine);

// Whether a run changes the store now, or was killed while it did.
bool IsChanging(const std::string& stamp);

}  // namespace stillframe::fleet
