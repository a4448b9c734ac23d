// SPDX-License-Identifier: Apache-2.0
// The page's own states of a thread, beside those of a sample.
#pragma once

#include <cstdint>

#include <stillframe/enum_table.h>

namespace stillframe::render {

// What CPU time, stack and message tell beyond model::ThreadState; numbered before its values.
enum class OwnState : uint8_t {
  kReady,        // it had no CPU for most of the sample's time
  kBinder,       // a call of another process
  kInputOutput,  // a file, a database or a socket
  kNotRun,       // the process was not run
};

constexpr EnumWords kOwnStates[] = {{"ready", "waiting for CPU", "ready"},
                                    {"binder", "waiting for another process (binder)", "binder"},
                                    {"input-output", "I/O", "io"},
                                    {"frozen", "not run: the process was frozen", "frozen"}};

}  // namespace stillframe::render
