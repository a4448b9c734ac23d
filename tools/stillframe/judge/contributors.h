// SPDX-License-Identifier: Apache-2.0
// Ranks what took the time in question. All else in the verdict is derived from this list.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <vector>

#include "tools/stillframe/index/window.h"
#include "tools/stillframe/judge/culprit.h"
#include "tools/stillframe/judge/message_parts.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

struct Contribution {
  judge::Contributor contributor;
  const model::Message* message = nullptr;  // the one with most of the time; null: none
  uint64_t message_ns = 0;                  // of `message`, in this contribution
  PartKey part_key;                         // set for causes within messages only
  std::vector<Source> sources;              // parts of all its messages
  std::optional<index::CallTree> tree;      // stacks of `sources`; empty without stacks

  // It has a message, and is not something done to the process as a whole, such as kNoCpu.
  bool HasMessage() const;
};

struct Ranking {
  uint64_t length_ns = 0;               // the window's length
  std::vector<Contribution> list;       // largest first; sums to length_ns
  std::list<Attribution> attributions;  // one for each slow message in the window
  Helpers helpers;                      // from the stacks of `list`

  uint64_t NsOf(judge::Cause cause) const;
};

// Divides the window's time. Within slow messages by cause:
// - own work, sleep and the like: by kind of message
// - locks: by owner
// - what was done to the process (no CPU, frozen, the runtime): one row each
// Outside slow messages: quick messages by the last message of each run, then time without a
// message.
Ranking RankContributors(const index::DumpIndex& index, const index::Window& window);

}  // namespace stillframe::judge
