// SPDX-License-Identifier: Apache-2.0
// What a message's time went to: its samples and what the kernel counted, by cause.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/stillframe/index/call_tree.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

struct TimeSpan {
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;
  uint64_t length_ns() const { return end_ns - begin_ns; }
};

// What tells two parts of one cause apart.
struct Whose {
  judge::Thread owner;  // of the monitors, of time blocked; not known: nobody is
  std::string handler;  // the idle handler (index::IdleHandlerOf), of what runs outside messages
  bool is_before_loop = false;  // of what runs outside messages

  auto operator<=>(const Whose&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Where a message's time went: parts that add up, and each sample's shares of them.
struct Attribution {
  struct Part {
    judge::Cause cause;
    Whose whose;
    uint64_t us = 0;
    uint64_t ns = 0;
  };
  struct Share {
    uint32_t sample;
    uint32_t part;
    uint64_t us;
  };
  const model::Message* message = nullptr;
  std::vector<Part> parts;    // with time; together they have exactly that of the span
  std::vector<Share> shares;  // in the order of the samples
};

// The part of the message within `inside`. In `frozen`, in order, the process was not run.
Attribution Attribute(const index::DumpIndex& index, const model::Message& message,
                      const TimeSpan& inside, std::span<const TimeSpan> frozen);

// One of these parts.
struct Source {
  const Attribution* attribution;
  uint32_t part;
};

// The stacks of these parts as one tree, recursion folded; none without samples.
std::optional<index::CallTree> TreeOf(const index::DumpIndex& index,
                                      std::span<const Source> sources);

// From the message's start to its end, or to the dump.
TimeSpan SpanOf(const model::Message& message);

// When the recorder saw that the process was not run, in order and apart from each other.
std::vector<TimeSpan> FrozenSpans(const model::Document& document);

}  // namespace stillframe::judge
