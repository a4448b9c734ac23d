// SPDX-License-Identifier: Apache-2.0
// Removes omitted parts from a dump before it is written.
#pragma once

#include "src/model/dump.h"
#include "src/settings/omissions.h"

namespace stillframe::dump {

// Everything but trees, which the caller must not write. Removes the messages' kMessageHasTree.
void Redact(const settings::Omissions& omit, model::Dump* dump);

// For facts of the occasion that arrive after the dump was written.
void Redact(const settings::Omissions& omit, model::Occasion* occasion);

}  // namespace stillframe::dump
