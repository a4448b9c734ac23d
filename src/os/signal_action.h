// The C library's own sigaction.
// Context: start-up only
#pragma once

#include <signal.h>

namespace stillframe::os {

using SigactionFunction = int (*)(int, const struct sigaction*, struct sigaction*);

// ART's libsigchain interposes sigaction and keeps SIGSEGV's kernel handler for itself; this one
// reaches the kernel. Null when the C library is not found under a known name.
SigactionFunction KernelSigaction();

}  // namespace stillframe::os
