// SPDX-License-Identifier: Apache-2.0
// Who took the time that a verdict is about: one ranking, from which sentence, confidence and all
// outputs are made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/stillframe/calltree/call_tree.h"
#include "tools/stillframe/index/window.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::rules {

struct Contribution {
  verdict::Contributor told;
  const model::Message* message = nullptr;  // in which most of it was; null: in none
  uint64_t message_ns = 0;                  // of that one
  std::string whose;                        // as MessagePart has it; of causes of messages
  std::optional<calltree::CallTree> tree;   // its stacks in all its messages, recursion folded

  // It has messages of its own; it does not only happen to them.
  bool IsOfMessages() const;
};

struct Ranking {
  uint64_t length_ns = 0;          // of the window
  std::vector<Contribution> list;  // the largest first; together exactly length_ns

  uint64_t NsOf(verdict::Cause cause) const;
};

// Time within slow messages goes by cause: their own work, sleep and the like by kind of message,
// locks by owner, what was done to the process (no CPU, frozen, the runtime) as one each. Outside
// them: quick messages by the kind of each run's last one, then what no message explains.
Ranking RankContributors(const index::DumpIndex& index, const index::Window& window);

}  // namespace stillframe::rules
