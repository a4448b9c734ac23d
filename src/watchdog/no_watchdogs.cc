// SPDX-License-Identifier: Apache-2.0
// A build without watchdogs: nothing is ever due.
#include "src/watchdog/watchdogs.h"

namespace stillframe::watchdog {

void Watchdogs::SetLimits(const Limits&) {}

void Watchdogs::Sampled(uint64_t, uint64_t) {}

bool Watchdogs::Judge(const Figures&) { return false; }

bool Watchdogs::JudgeDump(uint64_t) { return false; }

void Watchdogs::Describe(std::vector<model::NamedCount>*) const {}

}  // namespace stillframe::watchdog
