// SPDX-License-Identifier: Apache-2.0
// Thread states that the page adds to those of samples.
#pragma once

#include <cstdint>

#include <stillframe/enum_table.h>

namespace stillframe::render {

// States derived from CPU time, stack and message. Numbered before model::ThreadState.
enum class OwnState : uint8_t {
  kReady,        // no CPU for most of the sample's time
  kBinder,       // in a call to another process
  kInputOutput,  // a file, a database or a socket
  kMemory,       // in a page fault
  kNotRun,       // the process did not run
};

constexpr EnumWords kOwnStates[] = {{"ready", "waiting for CPU"},
                                    {"binder", "waiting for another process (binder)"},
                                    {"input-output", "I/O"},
                                    {"memory", "waiting for pages of memory"},
                                    {"frozen", "not run: the process was frozen"}};

}  // namespace stillframe::render
