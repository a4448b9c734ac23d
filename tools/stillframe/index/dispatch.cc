// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/index/dispatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/names.h"

namespace stillframe::index {
namespace {

struct SystemMessage {
  int32_t what;
  std::string_view name;
};

// AOSP 8 to 16, core/java/android/app/ActivityThread.java, class H. Releases drop and add codes,
// but never reuse one. Up to 8.1, activities had 100 to 109, 112, 125 and 126; since 9 they have
// EXECUTE_TRANSACTION.
constexpr std::array kMessages = {
    SystemMessage{100, "LAUNCH_ACTIVITY"},
    SystemMessage{101, "PAUSE_ACTIVITY"},
    SystemMessage{102, "PAUSE_ACTIVITY_FINISHING"},
    SystemMessage{103, "STOP_ACTIVITY_SHOW"},
    SystemMessage{104, "STOP_ACTIVITY_HIDE"},
    SystemMessage{105, "SHOW_WINDOW"},
    SystemMessage{106, "HIDE_WINDOW"},
    SystemMessage{107, "RESUME_ACTIVITY"},
    SystemMessage{108, "SEND_RESULT"},
    SystemMessage{109, "DESTROY_ACTIVITY"},
    SystemMessage{110, "BIND_APPLICATION"},
    SystemMessage{111, "EXIT_APPLICATION"},
    SystemMessage{112, "NEW_INTENT"},
    SystemMessage{113, "RECEIVER"},
    SystemMessage{114, "CREATE_SERVICE"},
    SystemMessage{115, "SERVICE_ARGS"},
    SystemMessage{116, "STOP_SERVICE"},
    SystemMessage{118, "CONFIGURATION_CHANGED"},
    SystemMessage{119, "CLEAN_UP_CONTEXT"},
    SystemMessage{120, "GC_WHEN_IDLE"},
    SystemMessage{121, "BIND_SERVICE"},
    SystemMessage{122, "UNBIND_SERVICE"},
    SystemMessage{123, "DUMP_SERVICE"},
    SystemMessage{124, "LOW_MEMORY"},
    SystemMessage{125, "ACTIVITY_CONFIGURATION_CHANGED"},
    SystemMessage{126, "RELAUNCH_ACTIVITY"},
    SystemMessage{127, "PROFILER_CONTROL"},
    SystemMessage{128, "CREATE_BACKUP_AGENT"},
    SystemMessage{129, "DESTROY_BACKUP_AGENT"},
    SystemMessage{130, "SUICIDE"},
    SystemMessage{131, "REMOVE_PROVIDER"},
    SystemMessage{132, "ENABLE_JIT"},
    SystemMessage{133, "DISPATCH_PACKAGE_BROADCAST"},
    SystemMessage{134, "SCHEDULE_CRASH"},
    SystemMessage{135, "DUMP_HEAP"},
    SystemMessage{136, "DUMP_ACTIVITY"},
    SystemMessage{137, "SLEEPING"},
    SystemMessage{138, "SET_CORE_SETTINGS"},
    SystemMessage{139, "UPDATE_PACKAGE_COMPATIBILITY_INFO"},
    SystemMessage{141, "DUMP_PROVIDER"},
    SystemMessage{142, "UNSTABLE_PROVIDER_DIED"},
    SystemMessage{143, "REQUEST_ASSIST_CONTEXT_EXTRAS"},
    SystemMessage{144, "TRANSLUCENT_CONVERSION_COMPLETE"},
    SystemMessage{145, "INSTALL_PROVIDER"},
    SystemMessage{146, "ON_NEW_ACTIVITY_OPTIONS"},
    SystemMessage{149, "ENTER_ANIMATION_COMPLETE"},
    SystemMessage{150, "START_BINDER_TRACKING"},
    SystemMessage{151, "STOP_BINDER_TRACKING_AND_DUMP"},
    SystemMessage{154, "LOCAL_VOICE_INTERACTION_STARTED"},
    SystemMessage{155, "ATTACH_AGENT"},
    SystemMessage{156, "APPLICATION_INFO_CHANGED"},
    SystemMessage{158, "RUN_ISOLATED_ENTRY_POINT"},
    SystemMessage{159, "EXECUTE_TRANSACTION"},
    SystemMessage{160, "RELAUNCH_ACTIVITY"},
    SystemMessage{161, "PURGE_RESOURCES"},
    SystemMessage{162, "ATTACH_STARTUP_AGENTS"},
    SystemMessage{163, "UPDATE_UI_TRANSLATION_STATE"},
    SystemMessage{164, "SET_CONTENT_CAPTURE_OPTIONS_CALLBACK"},
    SystemMessage{165, "DUMP_GFXINFO"},
    SystemMessage{166, "DUMP_RESOURCES"},
    SystemMessage{167, "TIMEOUT_SERVICE"},
    SystemMessage{168, "PING"},
    SystemMessage{170, "INSTRUMENT_WITHOUT_RESTART"},
    SystemMessage{171, "FINISH_INSTRUMENTATION_WITHOUT_RESTART"},
    SystemMessage{172, "TIMEOUT_SERVICE_FOR_TYPE"},
};

// Names one message, from any list of the document.
template <typename Message>
void Name(Message* message) {
  if (message->target == model::kSystemTarget && message->callback.empty() &&
      message->system_name.empty())
    message->system_name = SystemMessageName(message->what);
}

constexpr size_t kLongestClassName = 160;
constexpr size_t kLongestSystemName = 60;
constexpr size_t kLongestComponent = 300;

bool IsHandlerMethod(const index::CallTree& tree, uint32_t node, std::string_view name) {
  const index::Method& method = tree.methods()[tree.nodes()[node].method];
  return !method.is_truncation && tree.frames().String(method.class_name) == "android.os.Handler" &&
         tree.frames().String(method.method_name) == name;
}

void TakeFromStack(const index::CallTree& tree, bool is_nested, Dispatch* dispatch) {
  const std::vector<uint32_t> path = HeaviestPath(tree, 0);
  const size_t inside = DispatchingFrames(tree, path, is_nested);
  if (inside == 0 || inside >= path.size()) return;
  const index::MethodId method = tree.nodes()[path[inside]].method;
  if (tree.methods()[method].is_truncation) return;
  const std::string name = index::Truncated(tree.ClassName(method), kLongestClassName);
  const bool is_callback = IsHandlerMethod(tree, path[inside - 1], "handleCallback");
  (is_callback ? dispatch->callback : dispatch->target) = name;
  dispatch->is_from_stack = true;
}

template <typename Message>
Dispatch Named(const Message& message) {
  Dispatch dispatch;
  dispatch.target = index::Truncated(message.target, kLongestClassName);
  dispatch.callback = index::Truncated(message.callback, kLongestClassName);
  dispatch.is_what_known = true;
  dispatch.what = message.what;
  dispatch.system_name = index::Truncated(message.system_name, kLongestSystemName);
  return dispatch;
}

}  // namespace

std::string_view SystemMessageName(int32_t what) {
  const auto found =
      std::find_if(kMessages.begin(), kMessages.end(),
                   [what](const SystemMessage& message) { return message.what == what; });
  return found == kMessages.end() ? std::string_view() : found->name;
}

void NameSystemMessages(model::Document* document) {
  std::for_each(
      document->history.begin(), document->history.end(),
      [](model::Message& message) { Name(&message); });
  std::for_each(
      document->records.begin(), document->records.end(),
      [](model::HistoryRecord& record) { Name(&record); });
  std::for_each(document->pending.begin(), document->pending.end(),
                [](model::PendingMessage& message) { Name(&message); });
}

std::vector<uint32_t> HeaviestPath(const index::CallTree& tree, uint64_t percent) {
  std::vector<uint32_t> path;
  const uint64_t whole_us = tree.sampled_us();
  for (uint32_t node = tree.root().first_child; node != index::kNone && tree.SampledUs(node) > 0;
       node = tree.nodes()[node].first_child) {
    if (tree.SampledUs(node) * 100 < whole_us * percent) break;
    path.push_back(node);
  }
  return path;
}

size_t DispatchingFrames(const index::CallTree& tree, const std::vector<uint32_t>& path,
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

Dispatch DispatchOf(const model::Message& message, const index::CallTree* tree) {
  Dispatch dispatch;
  if (message.segment) {
    dispatch.segment = {message.segment.kind,
                        index::Truncated(message.segment.method, kLongestClassName)};
    return dispatch;
  }
  dispatch.is_nested = (message.flags & model::kMessageNested) != 0;
  const bool is_known = (message.flags & model::kMessageIdentityUnknown) == 0 &&
                        !(message.target.empty() && message.callback.empty());
  if (!is_known && tree != nullptr) TakeFromStack(*tree, dispatch.is_nested, &dispatch);
  if (!is_known) return dispatch;
  Dispatch named = Named(message);
  named.is_nested = dispatch.is_nested;
  return named;
}

Dispatch DispatchOf(const model::PendingMessage& message) {
  Dispatch dispatch = Named(message);
  dispatch.component = index::Truncated(message.component, kLongestComponent);
  return dispatch;
}

Dispatch DispatchOf(const model::HistoryRecord& record) { return Named(record); }

std::string PendingDispatch(const model::PendingMessage& message) {
  return DispatchText(DispatchOf(message));
}

std::string DispatchText(const Dispatch& dispatch) {
  std::string text;
  if (dispatch.target == model::kBeatTarget && dispatch.callback.empty()) return "beat";
  if (const auto& [kind, method] = dispatch.segment; dispatch.segment) {
    text = index::TextOf(kind);
    return method.empty() ? text : fmt::format("{} {}", text, method);
  }
  if (!dispatch.callback.empty()) {
    text = fmt::format("Runnable {}", dispatch.callback);
    if (!dispatch.target.empty() && dispatch.target != "android.os.Handler")
      text += fmt::format(" to {}", dispatch.target);
  } else if (!dispatch.target.empty()) {
    text = dispatch.target;
  } else {
    return "unidentified message";
  }
  if (dispatch.is_what_known && (dispatch.callback.empty() || dispatch.what != 0))
    text += fmt::format(" what {}", dispatch.what);
  if (!dispatch.system_name.empty()) {
    text += dispatch.component.empty()
                ? fmt::format(" ({})", dispatch.system_name)
                : fmt::format(" ({} of {})", dispatch.system_name, dispatch.component);
  }
  return text;
}

}  // namespace stillframe::index
