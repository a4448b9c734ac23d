// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/index/names.h"

#include <array>

namespace stillframe::index {
namespace {

template <size_t kCount>
std::string_view NameAt(const std::array<std::string_view, kCount>& names, size_t index) {
  return names[index < kCount ? index : 0];
}

}  // namespace

std::string_view NameOf(model::Trigger trigger) {
  constexpr std::array<std::string_view, 6> kNames = {"unknown", "sigquit",      "api",
                                                      "exit",    "long-message", "heartbeat"};
  return NameAt(kNames, static_cast<size_t>(trigger));
}

std::string_view NameOf(trace::ThreadState state) {
  constexpr std::array<std::string_view, 13> kNames = {"unknown",
                                                       "runnable",
                                                       "native",
                                                       "waiting",
                                                       "timed-waiting",
                                                       "sleeping",
                                                       "blocked",
                                                       "suspended",
                                                       "other",
                                                       "waiting-for-gc",
                                                       "collecting",
                                                       "waiting-for-class",
                                                       "waiting-for-library"};
  return NameAt(kNames, static_cast<size_t>(state));
}

std::string_view NameOf(model::StackSource source) {
  constexpr std::array<std::string_view, 3> kNames = {"none", "stood-still", "running"};
  return NameAt(kNames, static_cast<size_t>(source));
}

std::string_view NameOf(model::WaitKind kind) {
  constexpr std::array<std::string_view, 8> kNames = {
      "none", "monitor", "object", "park", "synchronizer", "future", "join", "class-init"};
  return NameAt(kNames, static_cast<size_t>(kind));
}

std::string_view NameOf(model::SpanKind kind) {
  constexpr std::array<std::string_view, 12> kNames = {"unknown", "quick",  "mixed",   "slow",
                                                       "normal",  "system", "frame",   "idle",
                                                       "frozen",  "lost",   "outside", "blind"};
  return NameAt(kNames, static_cast<size_t>(kind));
}

std::string_view NameOf(model::Segment segment) {
  constexpr std::array<std::string_view, 8> kNames = {
      "",     "unknown",        "idle-handler", "native-callback", "before-loop",
      "loop", "unseen-message", "nested-loop"};
  const auto value = static_cast<size_t>(segment);
  return value < kNames.size() ? kNames[value] : kNames[1];
}

std::string_view SegmentText(model::Segment segment) {
  switch (segment) {
    case model::Segment::kIdleHandler: return "idle handler";
    case model::Segment::kNativeCallback: return "native callback";
    case model::Segment::kBeforeLoop: return "code before the loop";
    case model::Segment::kLoop: return "the loop's own code";
    case model::Segment::kUnseenMessage: return "unseen message";
    case model::Segment::kNestedLoop: return "code around a nested loop";
    case model::Segment::kNone:
    case model::Segment::kUnknown: break;
  }
  return "code outside messages";
}

std::string_view NameOf(model::FrameStage stage) {
  constexpr std::array<std::string_view, 7> kNames = {"",       "unknown",   "input", "animation",
                                                      "insets", "traversal", "commit"};
  return NameAt(kNames, static_cast<size_t>(stage));
}

std::string_view NameOf(model::TraceEventKind kind) {
  constexpr std::array<std::string_view, 7> kNames = {
      "unknown", "begin", "end", "async-begin", "async-end", "counter", "instant"};
  return NameAt(kNames, static_cast<size_t>(kind));
}

std::string_view NameOf(model::ContextEntry::State state) {
  constexpr std::array<std::string_view, 3> kNames = {"absent", "text", "number"};
  return NameAt(kNames, static_cast<size_t>(state));
}

}  // namespace stillframe::index
