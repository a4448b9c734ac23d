// SPDX-License-Identifier: Apache-2.0
// The methods of one message as Matrix reports an evil method: entries of depth, id, count and
// milliseconds.
// Source of rules and numbers: Tencent/matrix, matrix-trace-canary, TraceDataUtils.java.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/model/frame_table.h"
#include "src/model/trace_tree.h"

namespace stillframe::model {

struct EvilEntry {
  uint32_t depth;  // 0 is an outermost method
  uint32_t id;     // of "class.method", the same in all processes
  uint32_t count;  // samples
  uint32_t ms;
  FrameId frame;  // a frame of the method
};

// In preorder, siblings by their first samples; equal methods that one method called are one entry.
// The time from the last sample to `wall_us` is the last sample's. Not trimmed.
std::vector<EvilEntry> EvilStackOf(const TraceTree& tree, const FrameTable& frames,
                                   uint32_t wall_us);

// Of the methods with more than 30 % of `whole_ms` in one entry the one with the largest product of
// depth + 1 and time, else the first one; 0 without entries.
uint32_t KeyOf(const std::vector<EvilEntry>& stack, uint32_t whole_ms);

// Whether method `id` has the share of `whole_ms` that it needs to have stood for another stack, or
// half of it: few samples are not exact.
bool HasShare(const std::vector<EvilEntry>& stack, uint32_t id, uint32_t whole_ms);

// Makes the stack one entry shorter, which is not empty: the last of the lightest goes. Where all
// have more than 5 % of the time, first goes the outermost that only hands on to one other: those
// are the way from the platform to the application, and what stands between the ends of a long way
// or of a recursion. The entries of `key`, which stands for the stack, go last.
void DropOne(uint32_t whole_ms, uint32_t key, std::vector<EvilEntry>* stack);

// At most `most` entries are left: what took less than 5 ms goes first, the last ones before the
// others, then what took less than 10 ms, up to 300 ms; then as DropOne does it.
void Trim(uint32_t whole_ms, size_t most, uint32_t key, std::vector<EvilEntry>* stack);

// "class.method", or in brackets why frames are missing.
std::string NameOf(const EvilEntry& entry, const FrameTable& frames);

}  // namespace stillframe::model
