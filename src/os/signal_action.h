// SPDX-License-Identifier: Apache-2.0
// The C library's own sigaction.
// Context: start-up only; LibraryOf: any thread but a signal handler
#pragma once

#include <signal.h>

#include <cstdint>
#include <string>

#include "src/core/guarded_memory.h"

namespace stillframe::os {

// ART's libsigchain interposes sigaction and keeps SIGSEGV's kernel handler for itself; this one
// reaches the kernel. Null if the C library is not found under a known name.
core::SigactionFunction KernelSigaction();

// File name of the library that contains this code, for a message; "unknown code": none.
std::string LibraryOf(uintptr_t code);

}  // namespace stillframe::os
