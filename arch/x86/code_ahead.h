// SPDX-License-Identifier: Apache-2.0
// Reads the code ahead of a pc; shared with x86_64.
// Context: signal
#pragma once

#include "arch/x86/guarded_load.h"
#include "arch/x86/unwind_registers.h"
#include "arch/x86_code_ahead.h"  // uses what those two declare
