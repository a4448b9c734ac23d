// SPDX-License-Identifier: Apache-2.0
// A build without libunwind: nothing is opened, and what is not open is not asked.
#include "src/native/libunwind.h"

namespace stillframe::native {

struct Libunwind::State {
  arch::UnwindRegisters none = {};
};

const char* Libunwind::LibraryName() { return ""; }

Libunwind::Libunwind() = default;
Libunwind::~Libunwind() = default;

bool Libunwind::Open(const unwind::CodeModules&, const char*) { return false; }

void Libunwind::Start(const arch::UnwindRegisters&, bool) {}

Libunwind::Step Libunwind::Next() { return Step::kEnded; }

bool Libunwind::was_described() const { return false; }

const arch::UnwindRegisters& Libunwind::registers() const { return state_->none; }

}  // namespace stillframe::native
