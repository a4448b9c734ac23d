// SPDX-License-Identifier: Apache-2.0
// The one place that chooses a CPU. Everything that differs per CPU is in arch/<cpu>/, same file
// names in each.
// Context: any thread
#pragma once

#if defined(__aarch64__)
#include "arch/aarch64/code_ahead.h"
#include "arch/aarch64/code_flow.h"
#include "arch/aarch64/compiled_frame.h"
#include "arch/aarch64/guarded_load.h"
#include "arch/aarch64/memory_tags.h"
#include "arch/aarch64/quick_frames.h"
#include "arch/aarch64/registers.h"
#include "arch/aarch64/resting_call.h"
#include "arch/aarch64/unwind_registers.h"
#elif defined(__arm__)
#include "arch/arm/code_ahead.h"
#include "arch/arm/code_flow.h"
#include "arch/arm/compiled_frame.h"
#include "arch/arm/guarded_load.h"
#include "arch/arm/memory_tags.h"
#include "arch/arm/quick_frames.h"
#include "arch/arm/registers.h"
#include "arch/arm/resting_call.h"
#include "arch/arm/unwind_registers.h"
#elif defined(__i386__)
#include "arch/x86/code_ahead.h"
#include "arch/x86/code_flow.h"
#include "arch/x86/compiled_frame.h"
#include "arch/x86/guarded_load.h"
#include "arch/x86/memory_tags.h"
#include "arch/x86/quick_frames.h"
#include "arch/x86/registers.h"
#include "arch/x86/resting_call.h"
#include "arch/x86/unwind_registers.h"
#elif defined(__x86_64__)
#include "arch/x86_64/code_ahead.h"
#include "arch/x86_64/code_flow.h"
#include "arch/x86_64/compiled_frame.h"
#include "arch/x86_64/guarded_load.h"
#include "arch/x86_64/memory_tags.h"
#include "arch/x86_64/quick_frames.h"
#include "arch/x86_64/registers.h"
#include "arch/x86_64/resting_call.h"
#include "arch/x86_64/unwind_registers.h"
#else
#error "Stillframe has no arch/ folder for this CPU yet"
#endif

#include "arch/guarded_load_word.h"

namespace stillframe::arch {

// Whether a call puts the return address into a register, not on the stack.
constexpr bool kHasLinkRegister = kLinkRegister != kDwarfPc;

}  // namespace stillframe::arch
