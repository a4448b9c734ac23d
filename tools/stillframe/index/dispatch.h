// SPDX-License-Identifier: Apache-2.0
// The target of a message's dispatch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/document.h"
#include "tools/stillframe/index/call_tree.h"

namespace stillframe::index {

struct Dispatch {
  model::Segment segment;      // clean text; if set, all else is empty
  std::string target;          // class, clean text; "": unknown
  std::string callback;        // class, clean text; "": none or unknown
  bool is_nested = false;      // dispatched by a loop inside another message
  bool is_from_stack = false;  // derived from the frames below android.os.Handler
  bool is_what_known = false;
  int32_t what = 0;
  std::string system_name;  // clean text: name of a message of ActivityThread$H; "": not one
  std::string component;    // clean text: the component that it concerns; "": unknown
};

// Uses the message's own record. Without one (the tap learns it when the message ends), uses its
// stacks: the class below Handler.dispatchMessage or Handler.handleCallback. `tree` may be null.
Dispatch DispatchOf(const model::Message& message, const index::CallTree* tree);

// The same for a waiting message.
Dispatch DispatchOf(const model::PendingMessage& message);
// The most frequent message of a run.
Dispatch DispatchOf(const model::HistoryRecord& record);
std::string PendingDispatch(const model::PendingMessage& message);

// "Runnable com.foo.Sync", "Runnable com.foo.Sync to com.foo.MainHandler", "com.foo.MainHandler
// what 17", "android.app.ActivityThread$H what 114 (CREATE_SERVICE of com.shop/.Upload)". For a
// segment "idle handler com.foo.Warm.queueIdle".
std::string DispatchText(const Dispatch& dispatch);

// The heaviest path: from the root to the heaviest child, while that holds at least `percent` of
// the root's time. Excludes the root.
std::vector<uint32_t> HeaviestPath(const index::CallTree& tree, uint64_t percent);

// Number of leading nodes of `path` that belong to the loop and to Handler's dispatch; 0 without a
// Handler. The innermost Handler dispatched a nested message, the outermost any other.
size_t DispatchingFrames(const index::CallTree& tree, const std::vector<uint32_t>& path,
                         bool is_nested);

// Names of the system's messages to an application.
// "CREATE_SERVICE" for 114; "" for a code unknown in AOSP 8 to 16.
std::string_view SystemMessageName(int32_t what);

// Names messages of android.app.ActivityThread$H that have no name in the dump.
void NameSystemMessages(model::Document* document);

}  // namespace stillframe::index
