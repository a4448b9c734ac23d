// SPDX-License-Identifier: Apache-2.0
// Framed of the CPU that this is built for.
// Context: any thread
#pragma once

#if defined(__aarch64__)
#include "tests/testbed/quick_code/aarch64/framed.h"
#elif defined(__x86_64__)
#include "tests/testbed/quick_code/x86_64/framed.h"
#endif
