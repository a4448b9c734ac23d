// SPDX-License-Identifier: Apache-2.0
// What a message's time went to: its samples and what the kernel counted, split by cause.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/trace/trace_tree.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::rules {

struct TimeSpan {
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;
  uint64_t length_ns() const { return end_ns - begin_ns; }
};

struct MessagePart {
  verdict::Cause cause;
  // Of time blocked, the owner of the monitors, "" when nobody is known (see OwnerText); of an idle
  // handler's segment, the handler (see index::IdleHandlerOf); else "".
  std::string whose;
  uint64_t ns;
  std::optional<trace::TraceTree> stacks;  // recursion folded; none without samples
};

// The part of the message within `inside` by cause and whose it is, the largest first; together it
// is exactly inside.length_ns(). In `frozen`, in order, the process was not run.
std::vector<MessagePart> PartsOf(const index::DumpIndex& index, const model::Message& message,
                                 const TimeSpan& inside, std::span<const TimeSpan> frozen);

// Those of this cause together, whosever they are; ns is 0 when there are none.
MessagePart Together(verdict::Cause cause, std::span<const MessagePart> parts);

// Adds the samples of `more`.
void AddStacks(const trace::TraceTree& more, std::optional<trace::TraceTree>* stacks);

// From the message's start to its end, or to the dump.
TimeSpan SpanOf(const model::Message& message);

// When the recorder saw that the process was not run, in order and apart from each other.
std::vector<TimeSpan> FrozenSpans(const model::Document& document);

}  // namespace stillframe::rules
