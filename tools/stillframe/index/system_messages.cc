// SPDX-License-Identifier: Apache-2.0
// The table of ActivityThread.H, by number.
#include "tools/stillframe/index/system_messages.h"

#include <algorithm>
#include <array>

namespace stillframe::index {
namespace {

struct SystemMessage {
  int32_t what;
  std::string_view name;
};

// AOSP 8 to 16, core/java/android/app/ActivityThread.java, class H. Releases drop codes and add new
// ones, but none gives a code to another message: up to 8.1 activities had theirs from 100 to 109,
// 112, 125 and 126, since 9 there is EXECUTE_TRANSACTION.
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

// Of a message in whichever list of the document.
template <typename Message>
void Name(Message* message) {
  if (message->target == model::kSystemTarget && message->callback.empty() &&
      message->system_name.empty())
    message->system_name = SystemMessageName(message->what);
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

}  // namespace stillframe::index
