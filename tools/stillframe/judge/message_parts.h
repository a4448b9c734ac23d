// SPDX-License-Identifier: Apache-2.0
// Divides a message's time by cause, from its samples and the kernel's counts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/stillframe/index/call_tree.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/index/frozen_time.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

using index::FrozenSpans;
using index::TimeSpan;

// Distinguishes two parts of one cause.
struct PartKey {
  judge::Thread owner;          // of the monitors, for kLock; unknown: none recorded
  std::string handler;          // index::IdleHandlerOf, for code outside messages; else ""
  bool is_before_loop = false;  // code before the loop, outside messages

  auto operator<=>(const PartKey&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Where a message's time went: parts that sum to it, and each sample's shares of them.
struct Attribution {
  struct Part {
    judge::Cause cause;
    PartKey part_key;
    uint64_t us = 0;
    uint64_t ns = 0;
  };
  struct Share {
    uint32_t sample;
    uint32_t part;
    uint64_t us;
  };
  const model::Message* message = nullptr;
  std::vector<Part> parts;    // each with time; they sum to the span exactly
  std::vector<Share> shares;  // in the samples' order
};

// Covers the part of the message within `inside`. `frozen` lists, in order, when the process did
// not run.
Attribution Attribute(const index::DumpIndex& index, const model::Message& message,
                      const TimeSpan& inside, std::span<const TimeSpan> frozen);

// One part of an attribution.
struct Source {
  const Attribution* attribution;
  uint32_t part;
};

// The stacks of these parts as one tree, recursion folded. Empty without samples.
std::optional<index::CallTree> TreeOf(const index::DumpIndex& index,
                                      std::span<const Source> sources);

// From the message's start to its end, or to the dump.
TimeSpan SpanOf(const model::Message& message);

}  // namespace stillframe::judge
