// SPDX-License-Identifier: Apache-2.0
#include "src/history/frame_statistics.h"

#include <algorithm>
#include <iterator>

namespace stillframe::history {
namespace {

constexpr std::string_view kCallbackRecord = "android.view.Choreographer$CallbackRecord";

// The platform's callbacks of each stage. AOSP 8-17: core/java/android/view/ViewRootImpl.java;
// AOSP 8-16: core/java/android/animation/AnimationHandler.java (a FrameCallback, and a Runnable
// posted for the commit, which 17 does not have); AOSP 11-14:
// core/java/android/view/InsetsController.java. An application can post frame callbacks only, which
// are animations.
model::FrameStage StageOfCallback(std::string_view class_name, std::string_view method) {
  if (class_name == "android.view.ViewRootImpl$TraversalRunnable" ||
      class_name == "android.view.ViewRootImpl$TraversalCallback")  // since 17
    return model::FrameStage::kTraversal;
  if (class_name == "android.view.ViewRootImpl$ConsumeBatchedInputRunnable" ||
      class_name == "android.view.ViewRootImpl$ConsumeBatchedInputCallback")  // since 17
    return model::FrameStage::kInput;
  if (class_name.starts_with("android.view.InsetsController")) return model::FrameStage::kInsets;
  if (class_name.starts_with("android.animation.AnimationHandler$") && method == "run")
    return model::FrameStage::kCommit;
  return model::FrameStage::kAnimation;
}

// Scenes beyond kMaxScenes count as this one.
constexpr const char* kOtherScenes = "(other scenes)";

}  // namespace

bool IsFrameCallback(std::string_view callback) {
  return callback == "android.view.Choreographer$FrameDisplayEventReceiver";
}

model::FrameStage StageOf(const model::TraceTree& tree, const model::FrameTable& frames) {
  uint64_t weights_us[static_cast<size_t>(model::FrameStage::kCommit) + 1] = {};
  for (const model::Node& node : tree.nodes()) {
    if (node.parent == model::kNoNode || node.parent == model::kRootNode) continue;
    if (frames.ClassName(tree.At(node.parent).frame) != kCallbackRecord ||
        frames.At(node.frame).kind == model::FrameKind::kNative)
      continue;
    const model::FrameStage stage =
        StageOfCallback(frames.ClassName(node.frame), frames.MethodName(node.frame));
    weights_us[static_cast<size_t>(stage)] += tree.WeightUs(node);
  }
  const auto* most = std::max_element(std::begin(weights_us), std::end(weights_us));
  return *most == 0 ? model::FrameStage::kNone
                    : static_cast<model::FrameStage>(most - std::begin(weights_us));
}

model::SceneShare* FrameStatistics::SceneNamed(const std::string& name) {
  for (model::SceneShare& scene : jank_.scenes)
    if (scene.scene == name) return &scene;
  if (jank_.scenes.size() < kMaxScenes) {
    jank_.scenes.emplace_back();
    jank_.scenes.back().scene = jank_.scenes.size() < kMaxScenes ? name : kOtherScenes;
  }
  return &jank_.scenes.back();
}

void FrameStatistics::Show(const std::string& scene, uint64_t now_ns) {
  if (begun_ns_ == 0) begun_ns_ = now_ns;
  if (!jank_.scenes.empty()) jank_.scenes[scene_].shown_ns += now_ns - shown_since_ns_;
  scene_ = static_cast<size_t>(SceneNamed(scene) - jank_.scenes.data());
  shown_since_ns_ = now_ns;
}

tap::EndedFrame FrameStatistics::Clip(tap::EndedFrame frame) const {
  if (frame.due_ns < last_end_ns_) frame.due_ns = std::min(last_end_ns_, frame.end_ns);
  return frame;
}

void FrameStatistics::Add(const tap::EndedFrame& frame, Token cause, model::FrameStage stage) {
  if (jank_.scenes.empty()) Show("", frame.start_ns);
  model::SceneShare& scene = jank_.scenes[scene_];
  ++jank_.frames;
  ++scene.frames;
  if (!frame.is_due_known) ++jank_.due_unknown;
  last_end_ns_ = frame.end_ns;
  const uint64_t took_ns = frame.end_ns - frame.due_ns;
  if (jank_.refresh_interval_ns != 0) {
    const uint64_t missed = took_ns / jank_.refresh_interval_ns;
    jank_.missed += missed;
    scene.missed += missed;
  }
  if (!IsFrozen(frame)) return;
  scene.frozen_ns += took_ns;
  if (jank_.frozen.size() == kMaxFrozen) jank_.frozen.erase(jank_.frozen.begin());
  jank_.frozen.push_back({cause, frame.due_ns, took_ns, stage, scene.scene});
}

model::Jank FrameStatistics::Describe(uint64_t now_ns) const {
  model::Jank jank = jank_;
  if (jank.frames == 0) jank.absent = "no frame of the Choreographer was seen";
  if (!jank.scenes.empty()) jank.scenes[scene_].shown_ns += now_ns - shown_since_ns_;
  jank.watched_ns = begun_ns_ != 0 ? now_ns - begun_ns_ : 0;
  return jank;
}

}  // namespace stillframe::history
