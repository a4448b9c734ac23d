// SPDX-License-Identifier: Apache-2.0
// Takes out of a dump what it shall not carry, before anything is written.
#pragma once

#include "src/config/omissions.h"
#include "src/model/dump.h"

namespace stillframe::collector {

// All but the trees, which the caller does not write then: their marks on messages go.
void Redact(const config::Omissions& omit, model::Dump* dump);

// What is learned of the occasion after the dump was written.
void Redact(const config::Omissions& omit, model::Occasion* occasion);

}  // namespace stillframe::collector
