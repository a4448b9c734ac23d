// The one place that chooses a CPU. Everything that differs per CPU is in arch/<cpu>/, same file
// names in each.
// Context: any thread
#pragma once

#if defined(__x86_64__)
#include "arch/x86_64/compiled_frame.h"
#include "arch/x86_64/guarded_load.h"
#include "arch/x86_64/quick_frames.h"
#include "arch/x86_64/registers.h"
#include "arch/x86_64/unwind_registers.h"
#else
#error "Stillframe has no arch/ folder for this CPU yet"
#endif

#include "arch/guarded_load_word.h"
