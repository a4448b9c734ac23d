// SPDX-License-Identifier: Apache-2.0
#include "src/history/segment_name.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace stillframe::history {
namespace {

using model::FrameId;
using model::SegmentKind;

struct LoopMethod {
  std::string_view class_name;
  std::string_view method_name;
  SegmentKind kind;  // kind of what this method calls
};

// AOSP 8-14: core/java/android/os/{Looper,MessageQueue,Handler}.java.
constexpr std::array kLoopMethods = {
    LoopMethod{"android.os.Handler", "dispatchMessage", SegmentKind::kUnseenMessage},
    LoopMethod{"android.os.MessageQueue", "nativePollOnce", SegmentKind::kNativeCallback},
    LoopMethod{"android.os.MessageQueue", "next", SegmentKind::kIdleHandler},
    LoopMethod{"android.os.Looper", "loopOnce", SegmentKind::kLoop},
    LoopMethod{"android.os.Looper", "loop", SegmentKind::kLoop},
};

constexpr std::array<std::string_view, 7> kPlatform = {
    "android.", "com.android.internal.", "dalvik.", "java.", "javax.", "libcore.", "sun."};

bool IsPlatform(std::string_view class_name) {
  return std::ranges::any_of(
      kPlatform, [class_name](std::string_view prefix) { return class_name.starts_with(prefix); });
}

// A method of the queue that waits is not an idle handler.
bool IsQueueClass(std::string_view class_name) { return class_name == "android.os.MessageQueue"; }

struct Place {
  SegmentKind kind = SegmentKind::kUnknown;
  FrameId method = 0;
  bool has_method = false;

  bool operator==(const Place&) const = default;
};

class StackReader {
 public:
  StackReader(const model::FrameTable& frames, uint32_t around)
      : frames_(frames), around_(around) {}

  // `mixed` is outermost first.
  Place Read(std::span<const FrameId> mixed) const {
    Place place;
    size_t above = 0;
    std::vector<FrameId> managed;
    for (const FrameId id : mixed)
      if (frames_.At(id).kind != model::FrameKind::kNative) managed.push_back(id);
    const std::span<const FrameId> stack = managed;
    if (std::ranges::any_of(stack, [this](FrameId id) { return !IsTruncation(id); }))
      place.kind = SegmentKind::kBeforeLoop;
    for (size_t i = stack.size(); i > 0 && above == 0; --i) {
      const LoopMethod* method = Find(stack[i - 1]);
      if (method == nullptr) continue;
      place.kind = method->kind;
      above = i;
    }
    if (place.kind == SegmentKind::kUnseenMessage && around_ > 0 && Loops(stack) <= around_)
      place.kind = SegmentKind::kNestedLoop;
    while (above < stack.size() && place.kind == SegmentKind::kIdleHandler &&
           IsQueueClass(frames_.ClassName(stack[above])))
      ++above;
    if (above == stack.size() && place.kind == SegmentKind::kIdleHandler)
      place.kind = SegmentKind::kLoop;
    // The missing outer frames may include the loop.
    if (place.kind == SegmentKind::kBeforeLoop && IsTruncation(stack.front()))
      place.kind = SegmentKind::kUnknown;
    Name(stack.subspan(above), &place);
    return place;
  }

 private:
  bool IsTruncation(FrameId id) const {
    return frames_.At(id).kind == model::FrameKind::kTruncated;
  }
  const LoopMethod* Find(FrameId id) const {
    if (IsTruncation(id)) return nullptr;
    const auto* found = std::ranges::find_if(kLoopMethods, [&](const LoopMethod& method) {
      return frames_.MethodName(id) == method.method_name &&
             frames_.ClassName(id) == method.class_name;
    });
    return found == kLoopMethods.end() ? nullptr : found;
  }
  // Each loop has dispatched a message: one of the `around_` known ones, or one that the tap
  // missed.
  size_t Loops(std::span<const FrameId> stack) const {
    return static_cast<size_t>(std::ranges::count_if(
        stack,
        [this](FrameId id) {
          return !IsTruncation(id) && frames_.MethodName(id) == "loop" &&
                 frames_.ClassName(id) == "android.os.Looper";
        }));
  }
  void Name(std::span<const FrameId> stack, Place* place) const {
    for (const FrameId id : stack) {
      if (IsTruncation(id)) continue;
      const bool is_first = !place->has_method;
      const bool is_application = !IsPlatform(frames_.ClassName(id));
      if (is_first || is_application) place->method = id;
      place->has_method = true;
      if (is_application) return;
    }
  }

  const model::FrameTable& frames_;
  const uint32_t around_;
};

}  // namespace

model::Segment NameOfSegment(const model::TraceTree& tree, const model::FrameTable& frames,
                             uint32_t around) {
  struct Weight {
    Place place;
    uint64_t us;
  };
  std::vector<Weight> weights;
  const StackReader reader(frames, around);
  tree.ForEachStack([&](uint32_t, std::span<const FrameId> stack, const model::Sample& sample) {
    const Place place = reader.Read(stack);
    const auto known = std::ranges::find(weights, place, &Weight::place);
    if (known == weights.end())
      weights.push_back({place, sample.weight_us});
    else
      known->us += sample.weight_us;
  });
  // Known kinds first, then by time.
  const auto most = std::ranges::max_element(weights, {}, [](const Weight& weight) {
    return std::pair(weight.place.kind != SegmentKind::kUnknown, weight.us);
  });
  if (most == weights.end()) return {SegmentKind::kUnknown};
  model::Segment name = {most->place.kind};
  if (most->place.has_method) {
    name.method = frames.ClassName(most->place.method);
    name.method += '.';
    name.method += frames.MethodName(most->place.method);
  }
  return name;
}

}  // namespace stillframe::history
