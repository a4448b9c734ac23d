// SPDX-License-Identifier: Apache-2.0
// Dumps made in code, for the tests of the host tool.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <stillframe/token.h>

#include "src/model/document.h"
#include "tools/stillframe/index/dump_index.h"

namespace stillframe::host_test {

// "fixture.Decimal.multiply:23" is a method of Decimal.java at line 23, "…:native" a native one.
using StackText = std::vector<std::string_view>;

// Adds sections that the main thread wrote to the trace marker, around AnrDocument's messages.
void AddSections(model::Document* document);

model::FrameId AddFrame(model::Document* document, std::string_view text);

// Builds the tree of one message sample by sample.
class TreeMaker {
 public:
  TreeMaker(model::Document* document, uint64_t token) : document_(document), tree_(Token{token}) {}

  // Adds `count` samples of `stack`, each standing for `weight_us`, the thread in `state`.
  TreeMaker& Add(const StackText& stack, uint32_t count, uint32_t weight_us = 10'000,
                 model::ThreadState state = model::ThreadState::kRunnable);

  // Puts the tree into the document.
  void Finish();
  // Likewise, as one of another thread.
  void FinishThread();

 private:
  model::Document* document_;
  model::TraceTree tree_;
  uint32_t wall_us_ = 0;
  uint32_t cpu_us_ = 0;
};

// Identity, time and settings, and no message.
model::Document QuietDocument();

// A message that ended, `before_dump_ms` before the dump.
model::Message PastMessage(const model::Document& document, uint64_t token, int64_t before_dump_ms,
                           int64_t wall_ms, int64_t cpu_ms);

// The running message, which began `wall_ms` before the dump.
model::Message RunningMessage(const model::Document& document, uint64_t token, int64_t wall_ms,
                              int64_t cpu_ms);

// A Runnable in the queue that has been due for `late_ms`.
void AddWaiting(model::Document* document, int64_t late_ms, const std::string& callback);

// Frames from main to Handler.handleCallback, and `inner` below.
StackText InCallback(const StackText& inner);

// A message has run for 3 s and computed, in all samples with `inner` below its callback.
model::Document RunningIn(const StackText& inner);
// The same to Handler.dispatchMessage.
StackText InMessage(const StackText& inner);

// An ANR as the demonstration has it: a message that computes for 3 s and still runs, earlier ones
// that waited and that computed here and there, a queue behind it.
model::Document AnrDocument();

// Names with markup, control characters, invalid UTF-8, direction marks, and 10 KB of length.
model::Document HostileDocument();

// One message of `samples` different stacks of `depth` frames.
model::Document LargeDocument(uint32_t samples, uint32_t depth);

// The report page of one dump.
std::string PageOf(const index::DumpIndex& index);

// Writes `document` with the real writer; fails the test when that fails.
void WriteSample(const model::Document& document, const std::string& path);

}  // namespace stillframe::host_test
