// SPDX-License-Identifier: Apache-2.0
// Jank by the frames of the Choreographer: how many refreshes had no frame, which frames froze the
// screen, and what share of its time each scene was frozen.
//
// A frame is due at a refresh of the screen. From there to its end it may take one refresh
// interval; each further one is a refresh that was missed. Refreshes for which no frame was wanted
// count for nothing. Where nobody knows when a frame was due, only what it took itself counts. All
// memory is bounded: kMaxFrozen frames, kMaxScenes scenes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/frame_table.h"
#include "src/model/history.h"
#include "src/model/trace_tree.h"
#include "src/model/values.h"
#include "src/tap/ended_queue.h"

namespace stillframe::history {

// What a frame of the Choreographer was busy with.
// Whether a message with this callback is a frame (AOSP 8-14, core/java/android/view/
// Choreographer.java, FrameDisplayEventReceiver).
bool IsFrameCallback(std::string_view callback);

// The stage in which most of the tree's time went; kNone when the tree has no frame of the
// Choreographer.
model::FrameStage StageOf(const model::TraceTree& tree, const model::FrameTable& frames);

class FrameStatistics {
 public:
  static constexpr size_t kMaxFrozen = 32;
  static constexpr size_t kMaxScenes = 32;

  explicit FrameStatistics(uint64_t frozen_ns) : frozen_ns_(frozen_ns) {}

  // 0 is not known: then nothing counts as missed.
  void SetRefreshInterval(uint64_t interval_ns) { jank_.refresh_interval_ns = interval_ns; }

  // `scene` is on the screen from now on; the first call begins the account.
  void Show(const std::string& scene, uint64_t now_ns);

  // The frame, due at the end of the one before it at the earliest: so no time is counted twice.
  tap::EndedFrame Clip(tap::EndedFrame frame) const;
  // True when this frame, clipped, froze the screen: then `cause`, the message it was frozen by, is
  // kept with `stage`.
  bool IsFrozen(const tap::EndedFrame& frame) const {
    return frame.end_ns - frame.due_ns >= frozen_ns_;
  }
  void Add(const tap::EndedFrame& frame, Token cause, model::FrameStage stage);

  uint64_t frames() const { return jank_.frames; }
  // The account up to now.
  model::Jank Describe(uint64_t now_ns) const;

 private:
  model::SceneShare* SceneNamed(const std::string& name);

  uint64_t frozen_ns_;
  model::Jank jank_;
  uint64_t begun_ns_ = 0;
  uint64_t shown_since_ns_ = 0;
  uint64_t last_end_ns_ = 0;
  size_t scene_ = 0;
};

}  // namespace stillframe::history
