// SPDX-License-Identifier: Apache-2.0
// Takes out of a dump what it shall not carry, before anything is written.
#pragma once

#include "src/model/dump.h"
#include "src/settings/omissions.h"

namespace stillframe::dump {

// All but the trees, which the caller does not write then: their marks on messages go.
void Redact(const settings::Omissions& omit, model::Dump* dump);

// What is learned of the occasion after the dump was written.
void Redact(const settings::Omissions& omit, model::Occasion* occasion);

}  // namespace stillframe::dump
