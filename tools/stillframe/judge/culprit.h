// SPDX-License-Identifier: Apache-2.0
// Which method of a message's samples is to be named.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>

#include "tools/stillframe/index/call_tree.h"
#include "tools/stillframe/index/outside.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

// The application's methods that several of its others call: who called them is to blame.
class Helpers {
 public:
  // Of a tree without recursion, as TreeOf (message_parts.h) makes it.
  void Add(const index::CallTree& tree, const index::OwnCode& own);
  // Of a thread's stack, the innermost frame first.
  void Add(const model::FrameTable& frames, std::span<const model::FrameId> stack,
           const index::OwnCode& own);
  bool Has(model::StringId class_name, model::StringId method_name) const;

 private:
  using Name = std::pair<model::StringId, model::StringId>;
  void Add(Name method, Name caller);

  std::map<Name, std::pair<Name, bool>> callers_;  // the first, and whether there are others
};

// Goes down the heaviest path as long as it holds half of the message's time, and names the deepest
// method on it that is the application's own, else the deepest that is not the platform's, else the
// deepest one. A helper, or a method that calls one of the platform of its own name, gives way to
// its caller in the application. Nothing if the time is spread over many methods.
// `is_outside`: the tree is of time in binder calls, input or output. What these call is theirs.
std::optional<judge::Culprit> FindCulprit(const index::CallTree& tree, const index::OwnCode& own,
                                          const Helpers& helpers, bool is_nested, bool is_outside);

bool IsOutside(judge::Cause cause);

}  // namespace stillframe::judge
