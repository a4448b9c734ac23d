// SPDX-License-Identifier: Apache-2.0
// Which method in a message's samples to name.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>

#include "tools/stillframe/index/call_tree.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/index/outside.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

// Methods of the application that several of its other methods call. The caller is to blame.
class Helpers {
 public:
  // `tree` has no recursion, as TreeOf (message_parts.h) makes it.
  void Add(const index::CallTree& tree, const index::OwnCode& own);
  // `stack` is one thread's, innermost frame first.
  void Add(const model::FrameTable& frames, std::span<const model::FrameId> stack,
           const index::OwnCode& own);
  bool Has(model::StringId class_name, model::StringId method_name) const;
  // "a.B.c", and anything from " (" or "(" on.
  bool Has(const model::FrameTable& frames, std::string_view frame_text) const;

 private:
  using Name = std::pair<model::StringId, model::StringId>;
  void Add(Name method, Name caller);

  std::map<Name, std::pair<Name, bool>> callers_;  // first caller, and whether there are others
};

// With those that all stacks of the dump show.
Helpers AllHelpers(const index::DumpIndex& index, Helpers helpers);

// Follows the heaviest path while it holds half of the message's time. Names the deepest method on
// it that is the application's own, else the deepest outside the platform, else the deepest. A
// helper is replaced by its caller in the application, and so is a method that calls a platform
// method of its own name. Returns nothing if the time is spread over many methods.
// `is_outside`: the tree holds time in binder calls or I/O. Frames below such a call are dropped.
std::optional<judge::Culprit> FindCulprit(const index::CallTree& tree, const index::OwnCode& own,
                                          const Helpers& helpers, bool is_nested, bool is_outside);

bool IsOutside(judge::Cause cause);

// "app.A.take (A.java:4)", or the name alone if the place has no line.
std::string MethodAt(const std::string& method, const std::string& place);

}  // namespace stillframe::judge
