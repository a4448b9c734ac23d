// SPDX-License-Identifier: Apache-2.0
// What the samples of a message say of the kernel: for what a thread stood still in native code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/message.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/index/outside.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::rules {

// One for each sample of the message's tree, in its order; empty without a tree.
std::vector<index::KernelWait> KernelWaitsOf(const index::DumpIndex& index, uint64_t token);

// "It stood still in the kernel: fsync file 1,200 ms, futex 300 ms.", the three longest; "" where
// no sample says so.
std::string KernelCallsText(const index::DumpIndex& index, const model::Message& message);

// The words for a thread that stands still: in native code what the kernel was asked for tells a
// wait.
std::string_view WaitText(verdict::Cause cause, trace::ThreadState state);

}  // namespace stillframe::rules
