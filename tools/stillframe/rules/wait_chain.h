// SPDX-License-Identifier: Apache-2.0
// For whom the main thread waited when the dump was taken, by the stacks of threads in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::rules {

// The kernel's id of the main thread.
uint32_t MainTid(const model::Document& document);

verdict::WaitChain ChainOf(const index::DumpIndex& index);

// The main thread's stack, if it is known, has both methods: it had not gone on to a later wait. Of
// a deadlock that is so.
bool IsMainStillIn(const verdict::WaitChain& chain, const std::string& method,
                   const std::string& leaf);

// "the monitor of app.Store, held by thread db (tid 12), which itself waits for ...": what the main
// thread waits for, and each thread of the chain after it; "" when it waits for no thread that is
// known.
std::string ChainText(const verdict::WaitChain& chain);

// What the threads of the chain did, and the candidates, one sentence each.
std::vector<std::string> ChainEvidence(const verdict::WaitChain& chain);

}  // namespace stillframe::rules
