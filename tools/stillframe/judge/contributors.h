// SPDX-License-Identifier: Apache-2.0
// One ranking of what took the time in question. The rest of a verdict is made from it.
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
  judge::Contributor told;
  const model::Message* message = nullptr;  // in which most of it was; null: in none
  uint64_t message_ns = 0;                  // of that one
  Whose whose;                              // of causes of messages
  std::vector<Source> sources;              // of all its messages
  std::optional<index::CallTree> tree;      // of these; none without stacks

  // It has messages of its own; it does not only happen to them.
  bool IsOfMessages() const;
};

struct Ranking {
  uint64_t length_ns = 0;               // of the window
  std::vector<Contribution> list;       // the largest first; together exactly length_ns
  std::list<Attribution> attributions;  // of the slow messages in it
  Helpers helpers;                      // by their stacks

  uint64_t NsOf(judge::Cause cause) const;
};

// Time within slow messages goes by cause: their own work, sleep and the like by kind of message,
// locks by owner, what was done to the process (no CPU, frozen, the runtime) as one each. Outside
// them: quick messages by the kind of each run's last one, then what no message explains.
Ranking RankContributors(const index::DumpIndex& index, const index::Window& window);

}  // namespace stillframe::judge
