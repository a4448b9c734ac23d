// SPDX-License-Identifier: Apache-2.0
// Tables of reasons, messages and limits.
#include "tools/stillframe/judge/anr_kind.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/dispatch.h"

namespace stillframe::judge {
namespace {

constexpr size_t kMaxReason = 300;
constexpr size_t kMaxComponent = 200;
// android.content.Intent.FLAG_RECEIVER_FOREGROUND.
constexpr uint64_t kReceiverForeground = 0x10000000;

struct Sign {
  std::string_view text;
  AnrKind kind;
};

// Text in the system's reason.
constexpr std::array kReasons = {
    Sign{"Input dispatching timed out", AnrKind::kInput},
    Sign{"keyDispatchingTimedOut", AnrKind::kInput},  // up to Android 5
    Sign{"SHORT_SERVICE", AnrKind::kShortService},
    Sign{"Broadcast of ", AnrKind::kBroadcast},
    Sign{"executing service ", AnrKind::kService},
    Sign{"did not then call Service.startForeground", AnrKind::kForegroundService},
    Sign{"foreground service of ", AnrKind::kForegroundService},
    Sign{"ContentProvider not responding", AnrKind::kProvider},
    Sign{"onStartJob", AnrKind::kJob},
    Sign{"onStopJob", AnrKind::kJob},
    Sign{"required notification not provided", AnrKind::kJob},
    Sign{"failed to complete startup", AnrKind::kApplicationStart},
};

// index::SystemMessageName of the waiting message.
constexpr std::array kMessages = {
    Sign{"RECEIVER", AnrKind::kBroadcast},
    Sign{"CREATE_SERVICE", AnrKind::kService},
    Sign{"SERVICE_ARGS", AnrKind::kService},
    Sign{"STOP_SERVICE", AnrKind::kService},
    Sign{"BIND_SERVICE", AnrKind::kService},
    Sign{"UNBIND_SERVICE", AnrKind::kService},
    Sign{"INSTALL_PROVIDER", AnrKind::kProvider},
    Sign{"BIND_APPLICATION", AnrKind::kApplicationStart},
};

// AOSP 8 to 16, core/java/android/app/job/JobServiceEngine.java: all its messages concern a job.
constexpr std::string_view kJobHandler = "android.app.job.JobServiceEngine$JobHandler";

template <typename Holds>
AnrKind KindBy(std::span<const Sign> signs, const Holds& holds) {
  const auto found =
      std::ranges::find_if(signs, [&](const Sign& sign) { return holds(sign.text); });
  return found == signs.end() ? AnrKind::kUnknown : found->kind;
}

// The text between `prefix` and the first of `ends` or the text's end. "" without the prefix.
std::string_view Between(std::string_view text, std::string_view prefix, std::string_view ends) {
  const size_t at = text.find(prefix);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + prefix.size());
  return rest.substr(0, rest.find_first_of(ends));
}

// `reason`: "Broadcast of Intent { act=... flg=0x10000010 cmp=... }".
bool IsForegroundBroadcast(std::string_view reason) {
  uint64_t flags = 0;
  for (const char c : Between(reason, "flg=0x", " }")) {
    const size_t digit = std::string_view("0123456789abcdef").find(c);
    if (digit == std::string_view::npos) return false;
    flags = flags << 4 | digit;
  }
  return (flags & kReceiverForeground) != 0;
}

AnrLimit LimitOf(AnrKind kind, std::string_view reason) {
  switch (kind) {
    case AnrKind::kInput: return AnrLimit::kInput;
    case AnrKind::kBroadcast:
      if (reason.find("flg=0x") == std::string_view::npos) return AnrLimit::kBroadcast;
      return IsForegroundBroadcast(reason) ? AnrLimit::kForegroundBroadcast
                                           : AnrLimit::kBackgroundBroadcast;
    case AnrKind::kService: return AnrLimit::kService;
    case AnrKind::kForegroundService: return AnrLimit::kForegroundService;
    case AnrKind::kShortService: return AnrLimit::kShortService;
    case AnrKind::kProvider: return AnrLimit::kProvider;
    case AnrKind::kJob: return AnrLimit::kJob;
    case AnrKind::kApplicationStart: return AnrLimit::kApplicationStart;
    case AnrKind::kUnknown: break;
  }
  return AnrLimit::kUnknown;
}

// For input: "(1f2e3d com.example/com.example.Main (server) is not responding. Waited ...)".
std::string_view ComponentIn(AnrKind kind, std::string_view reason) {
  if (kind == AnrKind::kBroadcast) return Between(reason, "cmp=", " }");
  if (const std::string_view named = Between(reason, "ComponentInfo{", "}"); !named.empty())
    return named;
  if (kind == AnrKind::kService) return Between(reason, "executing service ", " ,");
  const size_t slash = kind == AnrKind::kInput ? reason.find('/') : std::string_view::npos;
  if (slash == std::string_view::npos) return {};
  const size_t begin = reason.find_last_of(" (", slash) + 1;  // npos + 1 is the start
  return reason.substr(begin, reason.find_first_of(" ),", slash) - begin);
}

Anr BySystem(const model::Document& document) {
  Anr anr;
  std::string_view reason = document.system_reason;
  if (reason.starts_with("ANR ")) reason.remove_prefix(4);
  anr.kind = KindBy(kReasons, [reason](std::string_view sign) {
    return reason.find(sign) != std::string_view::npos;
  });
  anr.reason = index::Truncated(reason, kMaxReason);
  const std::string_view named = ComponentIn(anr.kind, reason);
  anr.component =
      index::Truncated(named.empty() ? document.system_component : named, kMaxComponent);
  anr.limit = LimitOf(anr.kind, reason);
  return anr;
}

AnrKind KindOf(const model::PendingMessage& message) {
  if (message.target == kJobHandler) return AnrKind::kJob;
  return KindBy(kMessages, [&](std::string_view sign) { return sign == message.system_name; });
}

// Among pending messages with a limit in Android, the one due longest; null if none is due.
const model::PendingMessage* LatestOfSystem(const model::Document& document) {
  const model::PendingMessage* latest = nullptr;
  for (const model::PendingMessage& message : document.pending) {
    const bool counts = !message.is_barrier && message.delay_ms < 0 &&
                        KindOf(message) != AnrKind::kUnknown &&
                        index::LateNs(message) >= uint64_t{index::Window::kLateNs};
    if (counts && (latest == nullptr || message.delay_ms < latest->delay_ms)) latest = &message;
  }
  return latest;
}

}  // namespace

std::optional<Anr> FindAnr(const index::DumpIndex& index, const index::Window& window) {
  const model::Document& document = index.document();
  if (!document.system_reason.empty()) return BySystem(document);
  const model::PendingMessage* latest =
      window.latest == nullptr ? nullptr : LatestOfSystem(document);
  if (latest == nullptr) return std::nullopt;
  const AnrKind kind = KindOf(*latest);
  return Anr{.kind = kind,
             .source = AnrSource::kWaitingMessage,
             .reason = index::PendingDispatch(*latest),
             .component = index::Truncated(latest->component, kMaxComponent),
             .limit = LimitOf(kind, "")};
}

}  // namespace stillframe::judge
