// SPDX-License-Identifier: Apache-2.0
// For whom the main thread waited at the dump, by the threads' stacks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/judge/culprit.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

// The kernel's id of the main thread.
uint32_t MainTid(const model::Document& document);

judge::WaitChain ChainOf(const index::DumpIndex& index, const Helpers& helpers);

// A thread on its own, for which the main thread may wait.
judge::Waiter WaiterOf(const index::DumpIndex& index, const model::ThreadStack& stack);

// The thread's frame of the application at the dump, chosen as for a chain. "": not known.
std::string FrameAtDump(const index::DumpIndex& index, const Helpers& helpers, uint32_t tid);

// Both methods are on the main thread's stack at the dump, so it is still in the same wait. Always
// true for a deadlock, and without its stack.
bool IsMainStillIn(const judge::WaitChain& chain, const std::string& method,
                   const std::string& leaf);

// Adds what the chain's threads and the candidates were doing.
void AddChainEvidence(const judge::WaitChain& chain, judge::Verdict* verdict);

}  // namespace stillframe::judge
