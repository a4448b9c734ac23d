// SPDX-License-Identifier: Apache-2.0
// The stages by the platform's classes that run them.
#include "src/history/frame_stage.h"

#include <algorithm>
#include <iterator>

namespace stillframe::history {
namespace {

constexpr std::string_view kCallbackRecord = "android.view.Choreographer$CallbackRecord";

// The platform's own callbacks of each stage. AOSP 8-14: core/java/android/view/ViewRootImpl.java,
// core/java/android/animation/AnimationHandler.java (a FrameCallback, and a Runnable that is posted
// for the commit); AOSP 11-14: core/java/android/view/InsetsController.java. An application can
// post frame callbacks only, and those are animations.
model::FrameStage StageOfCallback(std::string_view class_name, std::string_view method) {
  if (class_name == "android.view.ViewRootImpl$TraversalRunnable")
    return model::FrameStage::kTraversal;
  if (class_name == "android.view.ViewRootImpl$ConsumeBatchedInputRunnable")
    return model::FrameStage::kInput;
  if (class_name.starts_with("android.view.InsetsController")) return model::FrameStage::kInsets;
  if (class_name.starts_with("android.animation.AnimationHandler$") && method == "run")
    return model::FrameStage::kCommit;
  return model::FrameStage::kAnimation;
}

}  // namespace

bool IsFrameCallback(std::string_view callback) {
  return callback == "android.view.Choreographer$FrameDisplayEventReceiver";
}

model::FrameStage StageOf(const trace::TraceTree& tree, const trace::FrameTable& frames) {
  uint64_t weights_us[static_cast<size_t>(model::FrameStage::kCommit) + 1] = {};
  for (const trace::Node& node : tree.nodes()) {
    if (node.parent == trace::kNoNode || node.parent == trace::kRootNode) continue;
    if (frames.ClassName(tree.At(node.parent).frame) != kCallbackRecord ||
        frames.At(node.frame).kind == trace::FrameKind::kNative)
      continue;
    const model::FrameStage stage =
        StageOfCallback(frames.ClassName(node.frame), frames.MethodName(node.frame));
    weights_us[static_cast<size_t>(stage)] += tree.WeightUs(node);
  }
  const auto* most = std::max_element(std::begin(weights_us), std::end(weights_us));
  return *most == 0 ? model::FrameStage::kNone
                    : static_cast<model::FrameStage>(most - std::begin(weights_us));
}

}  // namespace stillframe::history
