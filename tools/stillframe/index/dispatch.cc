// SPDX-License-Identifier: Apache-2.0
// Target, callback and `what`, and what the stack adds where they are not known.
#include "tools/stillframe/index/dispatch.h"

#include <fmt/format.h>

#include "tools/stillframe/index/names.h"
#include "tools/stillframe/text/clean_text.h"

namespace stillframe::index {
namespace {

constexpr size_t kLongestClassName = 160;
constexpr size_t kLongestSystemName = 60;
constexpr size_t kLongestComponent = 300;

bool IsHandlerMethod(const calltree::CallTree& tree, uint32_t node, std::string_view name) {
  const calltree::Method& method = tree.methods()[tree.nodes()[node].method];
  return !method.is_truncation && tree.frames().String(method.class_name) == "android.os.Handler" &&
         tree.frames().String(method.method_name) == name;
}

void TakeFromStack(const calltree::CallTree& tree, bool is_nested, Dispatch* dispatch) {
  const std::vector<uint32_t> path = HeaviestPath(tree, 0);
  const size_t inside = DispatchingFrames(tree, path, is_nested);
  if (inside == 0 || inside >= path.size()) return;
  const calltree::MethodId method = tree.nodes()[path[inside]].method;
  if (tree.methods()[method].is_truncation) return;
  const std::string name = text::Truncated(tree.ClassName(method), kLongestClassName);
  const bool is_callback = IsHandlerMethod(tree, path[inside - 1], "handleCallback");
  (is_callback ? dispatch->callback : dispatch->target) = name;
  dispatch->is_from_stack = true;
}

}  // namespace

std::vector<uint32_t> HeaviestPath(const calltree::CallTree& tree, uint64_t percent) {
  std::vector<uint32_t> path;
  const uint64_t whole_us = tree.root().total_us;
  for (uint32_t node = tree.root().first_child; node != calltree::kNone;
       node = tree.nodes()[node].first_child) {
    if (tree.nodes()[node].total_us * 100 < whole_us * percent) break;
    path.push_back(node);
  }
  return path;
}

size_t DispatchingFrames(const calltree::CallTree& tree, const std::vector<uint32_t>& path,
                         bool is_nested) {
  size_t inside = 0;
  for (size_t i = 0; i < path.size() && (inside == 0 || is_nested); ++i) {
    if (IsHandlerMethod(tree, path[i], "dispatchMessage")) {
      const bool calls_back =
          i + 1 < path.size() && IsHandlerMethod(tree, path[i + 1], "handleCallback");
      inside = i + (calls_back ? 2 : 1);
    }
  }
  return inside;
}

Dispatch DispatchOf(const model::Message& message, const calltree::CallTree* tree) {
  Dispatch dispatch;
  if (message.segment != model::Segment::kNone) {
    dispatch.segment = message.segment;
    dispatch.callback = text::Truncated(message.callback, kLongestClassName);
    return dispatch;
  }
  dispatch.is_nested = (message.flags & model::kMessageNested) != 0;
  const bool is_known = (message.flags & model::kMessageIdentityUnknown) == 0 &&
                        !(message.target.empty() && message.callback.empty());
  if (is_known) {
    dispatch.target = text::Truncated(message.target, kLongestClassName);
    dispatch.callback = text::Truncated(message.callback, kLongestClassName);
    dispatch.is_what_known = true;
    dispatch.what = message.what;
    dispatch.system_name = text::Truncated(message.system_name, kLongestSystemName);
  } else if (tree != nullptr) {
    TakeFromStack(*tree, dispatch.is_nested, &dispatch);
  }
  return dispatch;
}

Dispatch DispatchOf(const model::PendingMessage& message) {
  Dispatch dispatch;
  dispatch.target = text::Truncated(message.target, kLongestClassName);
  dispatch.callback = text::Truncated(message.callback, kLongestClassName);
  dispatch.is_what_known = true;
  dispatch.what = message.what;
  dispatch.system_name = text::Truncated(message.system_name, kLongestSystemName);
  dispatch.component = text::Truncated(message.component, kLongestComponent);
  return dispatch;
}

std::string PendingDispatch(const model::PendingMessage& message) {
  return DispatchText(DispatchOf(message));
}

std::string DispatchText(const Dispatch& dispatch) {
  std::string text;
  if (dispatch.segment != model::Segment::kNone) {
    text = SegmentText(dispatch.segment);
    return dispatch.callback.empty() ? text : fmt::format("{} {}", text, dispatch.callback);
  }
  if (!dispatch.callback.empty()) {
    text = fmt::format("Runnable {}", dispatch.callback);
    if (!dispatch.target.empty() && dispatch.target != "android.os.Handler")
      text += fmt::format(" to {}", dispatch.target);
  } else if (!dispatch.target.empty()) {
    text = dispatch.target;
  } else {
    return "of unknown target";
  }
  if (dispatch.is_what_known && (dispatch.callback.empty() || dispatch.what != 0))
    text += fmt::format(" what {}", dispatch.what);
  if (!dispatch.system_name.empty()) {
    text += dispatch.component.empty()
                ? fmt::format(" ({})", dispatch.system_name)
                : fmt::format(" ({} of {})", dispatch.system_name, dispatch.component);
  }
  return dispatch.is_from_stack ? text + " (from the stack)" : text;
}

std::string SubjectText(const Dispatch& dispatch) {
  std::string text = DispatchText(dispatch);
  if (dispatch.segment != model::Segment::kNone) return text;
  return (dispatch.is_nested ? "nested message " : "message ") + text;
}

}  // namespace stillframe::index
