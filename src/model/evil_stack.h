// SPDX-License-Identifier: Apache-2.0
// Methods of one message in the form of Matrix's evil method: entries of depth, id, count and
// milliseconds.
// Source of rules and numbers: Tencent/matrix, matrix-trace-canary, TraceDataUtils.java.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/model/frame_table.h"
#include "src/model/trace_tree.h"

namespace stillframe::model {

// Whether no stack of the tree has a method, as those of threads that the VM does not know.
bool HasOnlyNativeFrames(const TraceTree& tree, const FrameTable& frames);
// Whether a native frame has a name, and is of neither the kernel nor the C library.
bool IsNamedNative(const FrameTable& frames, FrameId frame);

struct EvilEntry {
  uint32_t depth;  // 0: outermost
  uint32_t id;     // of "class.method", the same in all processes
  uint32_t count;  // samples
  uint32_t ms;
  FrameId frame;  // a frame of the method
};

// Entries in preorder, siblings by their first samples. Calls of one method by the same caller are
// one entry. The time from the last sample to `wall_us` counts for that sample. Not trimmed.
std::vector<EvilEntry> EvilStackOf(const TraceTree& tree, const FrameTable& frames,
                                   uint32_t wall_us);

// Id of the method with the largest product of depth + 1 and time, among entries with more than 30
// % of `whole_ms`. If there is none, that of the first entry; 0 without entries.
uint32_t KeyOf(const std::vector<EvilEntry>& stack, uint32_t whole_ms);

// Whether method `id` has at least half the share of `whole_ms` that KeyOf requires. Half, because
// few samples are inexact.
bool HasShare(const std::vector<EvilEntry>& stack, uint32_t id, uint32_t whole_ms);

// Removes one entry of a stack that is not empty: the last of the lightest. If every entry has at
// least 5 % of the time, the outermost with a single callee goes first. That is usually framework
// code, or the middle of a long chain or recursion. Entries of method `key`, which identifies the
// stack, are only removed as the lightest.
void DropOne(uint32_t whole_ms, uint32_t key, std::vector<EvilEntry>* stack);

// Leaves at most `most` entries. First removes entries below 5 ms from the end, then those below 10
// ms, and so on up to 300 ms; then as DropOne does.
void Trim(uint32_t whole_ms, size_t most, uint32_t key, std::vector<EvilEntry>* stack);

// "class.method"; for missing frames the reason in brackets.
std::string NameOf(const EvilEntry& entry, const FrameTable& frames);

}  // namespace stillframe::model
