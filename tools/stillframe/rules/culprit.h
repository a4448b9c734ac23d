// SPDX-License-Identifier: Apache-2.0
// Which method of a message's samples is to be named.
#pragma once

#include <optional>
#include <string>

#include "tools/stillframe/calltree/call_tree.h"
#include "tools/stillframe/index/outside.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::rules {

// Goes down the heaviest path as long as it holds half of the message's time, and names the deepest
// method on it that is the application's own, else the deepest that is not the platform's, else the
// deepest one. Nothing if the time is spread over
// many methods.
// `is_outside`: the tree is of time in binder calls, input or output. What these call is theirs.
std::optional<verdict::Culprit> FindCulprit(const calltree::CallTree& tree,
                                            const index::OwnCode& own, bool is_nested,
                                            bool is_outside = false);

// ", shared by app.A.a (30 %), app.B.b (28 %) and 5 others,": what a method's time went on to where
// neither its own code nor one of them has half of it.
bool IsOutside(verdict::Cause cause);

std::string CalleesText(const verdict::Culprit& culprit);

}  // namespace stillframe::rules
