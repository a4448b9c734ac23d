// SPDX-License-Identifier: Apache-2.0
// What the thread did in each sample of a tree: the page's track of states.
#pragma once

#include <string>

#include "include/stillframe/enum_table.h"
#include "tools/stillframe/index/dump_index.h"

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

// One character a sample: the state's number to the base of 36.
std::string PageStates(const index::DumpIndex& index, const model::TraceTree& tree);

}  // namespace stillframe::render
