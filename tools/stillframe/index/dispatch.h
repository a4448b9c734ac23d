// SPDX-License-Identifier: Apache-2.0
// To whom a message was dispatched.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/document.h"
#include "tools/stillframe/index/call_tree.h"

namespace stillframe::index {

struct Dispatch {
  model::Segment segment;      // clean text; if it is one, all else is empty
  std::string target;          // class, clean text, "" when unknown
  std::string callback;        // class, clean text, "" when none or unknown
  bool is_nested = false;      // by a loop inside another message
  bool is_from_stack = false;  // derived from the frames below android.os.Handler
  bool is_what_known = false;
  int32_t what = 0;
  std::string system_name;  // clean text: what a message of ActivityThread$H is called, "" if none
  std::string component;    // clean text: what that one is about, "" when unknown
};

// What the message says itself; if it does not know (the tap learns it when the message ends), what
// its stacks say: the class below Handler.dispatchMessage or Handler.handleCallback. `tree` may be
// null.
Dispatch DispatchOf(const model::Message& message, const index::CallTree* tree);

// The same of a message that waits.
Dispatch DispatchOf(const model::PendingMessage& message);
// The most frequent message of a run.
Dispatch DispatchOf(const model::HistoryRecord& record);
std::string PendingDispatch(const model::PendingMessage& message);

// "Runnable com.foo.Sync", "Runnable com.foo.Sync to com.foo.MainHandler", "com.foo.MainHandler
// what 17",
// "android.app.ActivityThread$H what 114 (CREATE_SERVICE of com.shop/.Upload)"; of a segment "idle
// handler com.foo.Warm.queueIdle".
std::string DispatchText(const Dispatch& dispatch);

// The heaviest path: from the root to the heaviest child as long as it holds at least `percent` of
// the root's time. The root is not in it.
std::vector<uint32_t> HeaviestPath(const index::CallTree& tree, uint64_t percent);

// The number of nodes at the front of `path` that belong to the loop and to Handler's dispatching;
// 0 if there is no Handler on it. A nested message was dispatched by the innermost Handler, another
// by the outermost.
size_t DispatchingFrames(const index::CallTree& tree, const std::vector<uint32_t>& path,
                         bool is_nested);

// What the system's messages to an application are called.
// "CREATE_SERVICE" for 114; "" for a code that none of AOSP 8 to 16 has.
std::string_view SystemMessageName(int32_t what);

// Names the messages of android.app.ActivityThread$H that the dump leaves without.
void NameSystemMessages(model::Document* document);

}  // namespace stillframe::index
