// SPDX-License-Identifier: Apache-2.0
// Frames counted against the refreshes they were due at.
#include "src/history/frame_statistics.h"

#include <algorithm>

namespace stillframe::history {
namespace {

// What further scenes are counted as.
constexpr const char* kOtherScenes = "(other scenes)";

}  // namespace

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

void FrameStatistics::Add(const tap::EndedFrame& frame, uint64_t cause, model::FrameStage stage) {
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
