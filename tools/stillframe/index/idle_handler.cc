// SPDX-License-Identifier: Apache-2.0
// By the frames of AOSP 8-16, core/java/android/os/MessageQueue.java, as the device names segments.
#include "tools/stillframe/index/idle_handler.h"

#include <algorithm>
#include <string_view>

#include "tools/stillframe/calltree/method_name.h"
#include "tools/stillframe/text/clean_text.h"

namespace stillframe::index {
namespace {

constexpr size_t kLongest = 160;
constexpr std::string_view kQueue = "android.os.MessageQueue";

bool IsTruncation(const trace::FrameTable& frames, trace::FrameId id) {
  return frames.At(id).kind == trace::FrameKind::kTruncated;
}

// The innermost call of the loop decides: a handler may run a loop of its own.
bool IsOfLoop(const trace::FrameTable& frames, trace::FrameId id) {
  const std::string_view name = frames.ClassName(id);
  return !IsTruncation(frames, id) &&
         (name == kQueue || name == "android.os.Looper" ||
          (name == "android.os.Handler" && frames.MethodName(id) == "dispatchMessage"));
}

}  // namespace

std::string IdleHandlerOf(const trace::FrameTable& frames, std::span<const trace::FrameId> stack) {
  size_t above = stack.size();
  while (above > 0 && !IsOfLoop(frames, stack[above - 1])) --above;
  const auto is_of_queue = [&frames](trace::FrameId id) {
    return !IsTruncation(frames, id) && frames.ClassName(id) == kQueue;
  };
  // What `next` calls of its own class is the loop's.
  size_t next = above;
  while (next > 0 && is_of_queue(stack[next - 1]) && frames.MethodName(stack[next - 1]) != "next")
    --next;
  if (next == 0 || !is_of_queue(stack[next - 1])) return {};
  const auto called = stack.subspan(above);
  const auto own = std::ranges::find_if(
      called,
      [&frames](trace::FrameId id) {
        return !IsTruncation(frames, id) && !calltree::IsPlatformClass(frames.ClassName(id));
      });
  const auto first =
      own != called.end() ? own : std::ranges::find_if(called, [&frames](trace::FrameId id) {
        return !IsTruncation(frames, id);
      });
  if (first == called.end()) return {};
  std::string name(frames.ClassName(*first));
  name.append(".").append(frames.MethodName(*first));
  return text::Truncated(name, kLongest);
}

std::string NewestIdleHandler(const trace::FrameTable& frames, const trace::TraceTree* tree) {
  std::string handler;
  if (tree == nullptr) return handler;
  const uint32_t newest = tree->sample_count() - 1;
  tree->ForEachStack(
      [&](uint32_t i, std::span<const trace::FrameId> stack, const trace::Sample& /*sample*/) {
        if (i == newest) handler = IdleHandlerOf(frames, stack);
      });
  return handler;
}

}  // namespace stillframe::index
