// SPDX-License-Identifier: Apache-2.0
// Restores the dump's time if its section is lost.
#pragma once

#include "src/model/document.h"

namespace stillframe::input {

// If the dump has no time, sets it to the end of the latest known event, and adds a note to
// `damage`. The running message, if any, is taken to have lasted until then.
void RestoreTime(model::Document* document);

}  // namespace stillframe::input
