// SPDX-License-Identifier: Apache-2.0
// What is judged, and the facts that several kinds of verdicts share.
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

// Not more than that, and why.
void Limit(verdict::Confidence most, verdict::ConfidenceReason why, verdict::Verdict* verdict);

// About the message that leads: the method, lock or call that held it, and evidence.
void TellMessage(const Case& is, verdict::Verdict* verdict);

// What the main thread waited for at the dump, where no message was running. False if it waited for
// nothing that its stack tells.
bool TellWaitAtDump(const index::DumpIndex& index, verdict::Verdict* verdict);

// The system is short of memory, which explains a slow message that did not compute.
bool IsShortOfMemory(const Case& is);
void TellMemory(const Case& is, verdict::Verdict* verdict);

// The threads that used the CPU while the main thread waited for it.
void TellRivals(const Case& is, verdict::Verdict* verdict);

void TellCollections(const model::Document& document, verdict::Verdict* verdict);

}  // namespace stillframe::rules
