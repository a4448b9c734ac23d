// SPDX-License-Identifier: Apache-2.0
// The case to judge: facts shared by several kinds of verdict.
#pragma once

#include <span>

#include "tools/stillframe/index/call_tree.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/index/window.h"
#include "tools/stillframe/judge/contributors.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

struct Case {
  const index::DumpIndex& index;
  const index::Window& window;
  const Ranking& ranking;
  const Contribution& lead;                    // the contribution that the headline names first
  std::span<const Contribution* const> named;  // `lead` and other locks of its messages
  const index::CallTree* tree;                 // stacks of all `named`; null without stacks

  uint64_t named_ns() const;
};

// Lowers the confidence to at most `most`, with `why` as the reason.
void Limit(judge::Confidence most, judge::ConfidenceReason why, judge::Verdict* verdict);

// Sets the verdict on what held the leading message (method, lock or call), with evidence.
void ExplainMessage(const Case& facts, judge::Verdict* verdict);

// Adds what is known of a lock's holder when the hang of `message` is over: what ran on its Looper
// then, and where it was at the dump.
void AddOwnerOfPast(const Case& facts, const model::Message& message, const judge::Thread& holder,
                    judge::Verdict* verdict);

// Judges the stacks at the dump when no message was running. Returns false if the main thread's
// stack shows no wait.
bool AddWaitAtDump(const index::DumpIndex& index, judge::Verdict* verdict);

// Judges a dump without messages by the main thread's stack. Returns false if there are messages,
// or no stack.
bool ExplainOneLook(const index::DumpIndex& index, judge::Verdict* verdict);

// Judges the system's figures in a log without stacks. Returns false for other documents.
bool ExplainLog(const index::DumpIndex& index, judge::Verdict* verdict);

// Names what a wait in Android's own code is for, and the thread that does it.
void AddKnownWait(const index::DumpIndex& index, judge::Verdict* verdict);

// Judges a message without a tree in another tool's file by the main thread's stack in it. Returns
// false if there is none.
bool ExplainStackOfMessage(const index::DumpIndex& index, judge::Verdict* verdict);

// The kind of a verdict on one message, or on one look at it. `culprit`: empty if unknown.
judge::Kind KindOfMessage(judge::Cause cause, const judge::Culprit& culprit);

// The system is short of memory, which explains a slow message that did not compute.
bool IsShortOfMemory(const Case& facts);
void AddMemory(const Case& facts, judge::Verdict* verdict);

// Adds the threads that used the CPU while the main thread waited for it.
void AddRivals(const Case& facts, judge::Verdict* verdict);

// Adds what the system reports beside one look at the main thread. A main thread that was idle or
// ran is not to blame if memory was short, or if another thread of the process used the CPU.
void AddSystemReport(const index::DumpIndex& index, judge::Verdict* verdict);

// Says that a debugger was attached at the dump, and lowers the confidence.
void AddDebugger(const model::Document& document, judge::Verdict* verdict);
// Evidence of how the process ended, if the system has said so.
void AddExit(const model::Document& document, judge::Verdict* verdict);

void AddCollections(const model::Document& document, judge::Verdict* verdict);

}  // namespace stillframe::judge
