// SPDX-License-Identifier: Apache-2.0
// The case that is judged: facts that several kinds of verdict share.
#pragma once

#include <span>

#include "tools/stillframe/calltree/call_tree.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/index/window.h"
#include "tools/stillframe/rules/contributors.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::rules {

struct Case {
  const index::DumpIndex& index;
  const index::Window& window;
  const Ranking& ranking;
  const Contribution& lead;                   // what the headline is about first
  std::span<const Contribution* const> told;  // with others of its kind: locks of one message
  const calltree::CallTree* tree;             // of all these; null without stacks

  uint64_t told_ns() const;
};

// Lowers the confidence to `most`, for this reason.
void Limit(verdict::Confidence most, verdict::ConfidenceReason why, verdict::Verdict* verdict);

// Tells what held the leading message (method, lock or call), with evidence.
void TellMessage(const Case& facts, verdict::Verdict* verdict);

// Judges the stacks at the dump, where no message was running. Returns false if the main thread's
// stack shows no wait.
bool TellWaitAtDump(const index::DumpIndex& index, verdict::Verdict* verdict);

// The system is short of memory, which explains a slow message that did not compute.
bool IsShortOfMemory(const Case& facts);
void TellMemory(const Case& facts, verdict::Verdict* verdict);

// The threads that used the CPU while the main thread waited for it.
void TellRivals(const Case& facts, verdict::Verdict* verdict);

void TellCollections(const model::Document& document, verdict::Verdict* verdict);

}  // namespace stillframe::rules
