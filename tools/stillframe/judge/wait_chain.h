// SPDX-License-Identifier: Apache-2.0
// For whom the main thread waited when the dump was taken, by the stacks of threads in it.
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

// The main thread's stack, if it is known, has both methods: it had not gone on to a later wait. Of
// a deadlock that is so.
bool IsMainStillIn(const judge::WaitChain& chain, const std::string& method,
                   const std::string& leaf);

// What the threads of the chain did, and the candidates.
void AddChainEvidence(const judge::WaitChain& chain, judge::Verdict* verdict);

}  // namespace stillframe::judge
